import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { recordingLog } from '#test/app/log.ts'
import { createImages } from './profile-images.ts'
import { createImageWorkers } from './image-workers.ts'

const workers = createImageWorkers({ log: recordingLog() })
afterAll(() => workers.close())
const images = createImages(workers)
const options = { width: 40, height: 40, fit: 'cover', maxPixels: 1_000_000 } as const

const canvas = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#c04020' } })

/** Frames of 20 × 20 pixels, each in another grey. */
function animation(frames: number) {
  const raw = Buffer.concat(
    Array.from({ length: frames }, (_, n) => Buffer.alloc(20 * 20 * 3, (n * 37) % 256)),
  )
  return sharp(raw, { raw: { width: 20, height: 20 * frames, channels: 3, pageHeight: 20 } })
}

describe('still pictures', () => {
  test.each([
    ['jpeg', 'image/jpeg'],
    ['png', 'image/png'],
    ['webp', 'image/webp'],
    ['gif', 'image/png'],
    ['avif', 'image/jpeg'],
  ] as const)('%s becomes %s of the asked size', async (format, contentType) => {
    const input = await canvas(300, 100).toFormat(format).toBuffer()
    const { body, ...rest } = await images.resizeImage(input, options)
    expect(rest).toEqual({ contentType, animated: false, still: null })
    expect(await sharp(body).metadata()).toMatchObject({
      width: 40,
      height: 40,
      format: contentType.slice(6),
    })
  })

  test('orientation is applied, and no metadata is left', async () => {
    const red = { create: { width: 60, height: 30, channels: 3, background: '#ff0000' } } as const
    const blue = await canvas(30, 30).tint('#0000ff').png().toBuffer()
    // Left blue, right red; orientation 6 means that it is to be shown turned right: blue on top.
    const input = await sharp(red)
      .composite([{ input: blue, left: 0, top: 0 }])
      .jpeg()
      .withExif({ IFD0: { Copyright: 'secret place' }, IFD3: { GPSLatitude: '48/1 8/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .toBuffer()
    expect(input.includes('secret place')).toBe(true)
    const { body } = await images.resizeImage(input, { ...options, width: 30, height: 60 })
    const metadata = await sharp(body).metadata()
    expect(metadata.exif).toBeUndefined()
    expect(metadata.orientation).toBeUndefined()
    expect(body.includes('secret place')).toBe(false)
    const pixel = async (top: number) => [
      ...(await sharp(body).extract({ left: 15, top, width: 1, height: 1 }).raw().toBuffer()),
    ]
    const [above, below] = [await pixel(10), await pixel(50)]
    expect(above[2]!).toBeGreaterThan(above[0]!)
    expect(below[0]!).toBeGreaterThan(200)
  })

  test('inside keeps the proportions, and makes nothing larger', async () => {
    const inside = { ...options, fit: 'inside' } as const
    const sizeOf = async (width: number, height: number) => {
      const { body } = await images.resizeImage(await canvas(width, height).png().toBuffer(), inside)
      const metadata = await sharp(body).metadata()
      return [metadata.width, metadata.height]
    }
    expect(await sizeOf(400, 100)).toEqual([40, 10])
    expect(await sizeOf(30, 20)).toEqual([30, 20])
  })

  test('transparency stays', async () => {
    const clear = {
      create: { width: 50, height: 50, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    } as const
    const { body } = await images.resizeImage(await sharp(clear).png().toBuffer(), options)
    expect(await sharp(body).metadata()).toMatchObject({ hasAlpha: true })
  })
})

describe('animations', () => {
  test.each(['gif', 'webp'] as const)('a %s keeps its frames and gets a still PNG', async (format) => {
    const input = await animation(5).toFormat(format).toBuffer()
    const { body, contentType, animated, still } = await images.resizeImage(input, options)
    expect({ contentType, animated }).toEqual({ contentType: `image/${format}`, animated: true })
    expect(await sharp(body, { animated: true }).metadata()).toMatchObject({
      pages: 5,
      width: 40,
      pageHeight: 40,
    })
    expect(still!.contentType).toBe('image/png')
    expect(await sharp(still!.body).metadata()).toMatchObject({ format: 'png', width: 40, height: 40 })
  })

  test('too many pixels in sum: the first frame alone', async () => {
    const input = await animation(5).gif().toBuffer()
    const resized = await images.resizeImage(input, { ...options, maxPixels: 20 * 20 * 4 })
    expect(resized).toMatchObject({ animated: false, contentType: 'image/png', still: null })
  })

  test('too many frames are refused', async () => {
    const input = await animation(1001).gif({ effort: 1 }).toBuffer()
    await expect(images.resizeImage(input, { ...options, maxPixels: 1e9 })).rejects.toMatchObject({
      code: 'invalid',
    })
  })
})

describe('refused', () => {
  test('more pixels than allowed, before anything is decoded', async () => {
    const input = await canvas(1001, 1000).png().toBuffer()
    await expect(images.resizeImage(input, options)).rejects.toMatchObject({ code: 'invalid' })
    // A header that claims 50,000 × 50,000 pixels and has none.
    const claim = Buffer.from(await canvas(10, 10).png().toBuffer())
    claim.writeUInt32BE(50_000, 16)
    claim.writeUInt32BE(50_000, 20)
    await expect(images.resizeImage(claim, options)).rejects.toMatchObject({ code: 'invalid' })
  })

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('hello')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect/></svg>')],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a bare JPEG header', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16])],
    ['HTML after a GIF header', Buffer.from('GIF89a/*<script>alert(1)</script>*/')],
  ])('%s', async (_name, input) => {
    await expect(images.resizeImage(input, options)).rejects.toMatchObject({ code: 'invalid' })
  })

  test('a picture that is cut off', async () => {
    const input = await canvas(300, 300).png({ compressionLevel: 0 }).toBuffer()
    await expect(images.resizeImage(input.subarray(0, 5000), options)).rejects.toMatchObject({
      code: 'invalid',
    })
  })

  test('a type we do not take, although the library could', async () => {
    const tiff = await canvas(30, 30).tiff().toBuffer()
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    for (const bytes of [tiff, svg]) {
      await expect(images.resizeImage(bytes, options)).rejects.toMatchObject({ code: 'invalid' })
      // The library itself must not read it either, should its bytes ever be taken for something else.
      await expect(workers.run('resizeImage', { bytes, type: 'png', options })).rejects.toMatchObject({
        code: 'invalid',
        cause: expect.stringContaining('unsupported image format'),
      })
    }
  })
})
