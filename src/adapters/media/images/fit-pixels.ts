export interface Size {
  width: number
  height: number
}

/** The largest size of the same shape with at most so many pixels, never larger than it was. */
export function fitPixels({ width, height }: Size, pixels: number): Size {
  if (width * height <= pixels) return { width, height }
  const scale = Math.sqrt(pixels / (width * height))
  const shrunk = { width: Math.floor(width * scale) || 1, height: Math.floor(height * scale) || 1 }
  // A line one pixel high cannot become lower, so its length makes up for it.
  return { width: Math.min(shrunk.width, pixels), height: Math.min(shrunk.height, pixels) }
}
