// In the process that reads pictures: attachments and their previews.
import { encode } from 'blurhash'
import sharp, { type Sharp } from 'sharp'
import { fitPixels } from './fit-pixels.ts'
import { extractColors } from './colors.ts'
import type { MediaColors } from '#lib/media.ts'
import type {
  ConvertedImage,
  ConvertedPreview,
  ConvertInput,
  ImageFormat,
  ImageHeader,
} from './image-tasks.ts'

/** Components of the blurhash across and down, as Mastodon has them. */
const components = 4
/** More pixels would not change the hash. */
const hashedSide = 64
/** Pixels from one side of a picture to the other when its colours are looked for. */
const coloredWidth = 100

/** Reads the header alone: nothing is decoded, so the number of pixels does not matter yet. */
export async function inspect({ path }: { path: string }): Promise<ImageHeader> {
  const { autoOrient, pages, compression } = await sharp(path, { limitInputPixels: false }).metadata()
  return {
    width: autoOrient.width,
    height: autoOrient.height,
    frames: pages ?? 1,
    isReadable: compression !== 'hevc',
  }
}

/** Makes the picture upright, no larger than asked, and free of metadata: nothing asks sharp to keep it. */
export async function convert(input: ConvertInput): Promise<ConvertedImage> {
  const { path, maxPixels, animated = false } = input
  const source = sharp(path, { limitInputPixels: maxPixels, failOn: 'error', animated })
  const { autoOrient, isPalette } = await source.metadata()
  const size = fitPixels(autoOrient, input.pixels)
  const isScaled = size.width !== autoOrient.width || size.height !== autoOrient.height
  const upright = animated ? source : source.autoOrient()
  // Many frames lie one below the other, as one high picture: they keep their size.
  const shaped = isScaled && !animated ? upright.resize({ ...size, fit: 'fill' }) : upright
  const encoded = toFormat(shaped, input.format, { hasFewColours: isPalette && !isScaled })
  const written = await encoded.toFile(input.target)
  return { bytes: written.size, width: written.width, height: written.pageHeight ?? written.height }
}

/** With few colours to begin with, a PNG keeps its palette, and its size with it. */
function toFormat(image: Sharp, format: ImageFormat, { hasFewColours }: { hasFewColours: boolean }): Sharp {
  if (format === 'jpeg') return image.flatten({ background: '#ffffff' }).jpeg({ quality: 90 })
  if (format === 'webp') return image.webp({ quality: 90, effort: 3 })
  if (format === 'gif') return image.gif({ effort: 3 })
  return hasFewColours ? image.png({ palette: true, quality: 100, dither: 0 }) : image.png()
}

export async function preview(input: ConvertInput): Promise<ConvertedPreview> {
  const converted = await convert(input)
  const { data, info } = await sharp(input.target)
    .resize({ width: hashedSide, height: hashedSide, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const blurhash = encode(new Uint8ClampedArray(data), info.width, info.height, components, components)
  return { ...converted, blurhash, colors: input.withColors ? await readColors(input.target) : null }
}

async function readColors(path: string): Promise<MediaColors | null> {
  const { data, info } = await sharp(path)
    .resize({ width: coloredWidth, withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return extractColors({ data, width: info.width, height: info.height, channels: info.channels })
}
