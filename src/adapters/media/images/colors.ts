// Colours that go with a picture: what players of sounds and films put around it. By the rules of Mastodon, so that the
// same cover has the same colours everywhere.
import type { MediaColors } from '#lib/media.ts'
import { colorDifference, contrastOf, rgbToHsl, hslToRgb, toHex, type Rgb } from './color-spaces.ts'

/** Shades of each channel that are told apart. */
const bins = 10
const paletteSize = 10
const accentContrast = 2
const foregroundContrast = 3

export interface Pixels {
  /** `channels` bytes a pixel, of which the first are red, green and blue; one alone is grey. */
  data: Uint8Array
  width: number
  height: number
  channels: number
}

/**
 * The colour most frequent near the edges as the background; of those in the whole picture that stand out from it, the one
 * with the best contrast as the foreground and the most saturated one as the accent. Null for a picture without pixels.
 */
export function extractColors(pixels: Pixels): MediaColors | null {
  const all = paletteOf(pixels, () => true)
  const background = paletteOf(pixels, isNearEdge(pixels))[0] ?? all[0]
  if (!background) return null
  const accent = farthest(background, all, accentContrast)
  const other = farthest(
    background,
    all.filter((color) => color !== accent),
    foregroundContrast,
  )
  const found = [accent, other].filter((color) => color !== null)
  for (let i = 0; found.length < 2; i++) found.push(shift(background, 35 + i * 15))
  return {
    background: toHex(background),
    foreground: toHex(bestOf(found, (color) => contrastOf(background, color))),
    accent: toHex(bestOf(found, (color) => rgbToHsl(color).saturation)),
  }
}

function isNearEdge({ width, height }: Pixels): (x: number, y: number) => boolean {
  const [across, down] = [Math.floor(width / 4), Math.floor(height / 4)]
  return (x, y) => x < across || x >= width - across || y < down || y >= height - down
}

/** The most frequent colours, the first of all first. */
function paletteOf(
  { data, width, height, channels }: Pixels,
  counts: (x: number, y: number) => boolean,
): Rgb[] {
  const found = new Map<number, number>()
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (!counts(x, y)) continue
      const at = channels * (y * width + x)
      const [green, blue] = channels < 3 ? [data[at], data[at]] : [data[at + 1], data[at + 2]]
      const bin = (binOf(data[at]) * bins + binOf(green)) * bins + binOf(blue)
      found.set(bin, (found.get(bin) ?? 0) + 1)
    }
  }
  const frequent = [...found].toSorted((one, other) => other[1] - one[1] || one[0] - other[0])
  return frequent.slice(0, paletteSize).map(([bin]) => centreOf(bin))
}

const binOf = (channel = 0) => Math.floor((channel * bins) / 256)

function centreOf(bin: number): Rgb {
  const channel = (place: number) => ((place + 0.5) * 256) / bins
  return {
    red: channel(Math.floor(bin / (bins * bins))),
    green: channel(Math.floor(bin / bins) % bins),
    blue: channel(bin % bins),
  }
}

/** The colour most unlike another one, of those with enough contrast. */
function farthest(from: Rgb, colors: readonly Rgb[], contrast: number): Rgb | null {
  const fit = colors.filter((color) => contrastOf(from, color) >= contrast)
  return fit.length === 0 ? null : bestOf(fit, (color) => colorDifference(from, color))
}

/** The first of those with the highest value. */
function bestOf(colors: readonly Rgb[], value: (color: Rgb) => number): Rgb {
  return colors.reduce((best, color) => (value(color) > value(best) ? color : best))
}

/** Lighter by so many hundredths, or darker where it is light. */
function shift(color: Rgb, by: number): Rgb {
  const { lightness, ...rest } = rgbToHsl(color)
  const shifted = lightness < 50 ? Math.min(100, lightness + by) : Math.max(0, lightness - by)
  return hslToRgb({ ...rest, lightness: shifted })
}
