import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { loadConfig } from '#config/config.ts'
import { recordingLog } from '#test/app/log.ts'
import { blackPng, contains, tinyGif, useFolder } from '#test/files/media-files.ts'
import { createImageWorkers } from './images/image-workers.ts'
import { createMediaProcessor } from './processor.ts'

const { limits } = loadConfig({})
const workers = createImageWorkers({ log: recordingLog() })
afterAll(() => workers.close())
const media = createMediaProcessor({ limits, workers, ffmpeg: null })
const input = useFolder()
const output = useFolder()
afterEach(() => output.clear())
const process = (file: string, thumbnail?: string) =>
  media.process(file, { directory: output.path, thumbnail })

const canvas = (width: number, height: number, alpha = 1) =>
  sharp({ create: { width, height, channels: 4, background: { r: 200, g: 60, b: 30, alpha } } })

describe('pictures', () => {
  test.each([
    ['jpeg', 'image/jpeg', 'jpg'],
    ['png', 'image/png', 'png'],
    ['webp', 'image/webp', 'webp'],
    ['gif', 'image/png', 'png'],
    ['avif', 'image/jpeg', 'jpg'],
  ] as const)('%s becomes %s, with a preview and a blurhash', async (format, contentType, extension) => {
    const file = input.write(`a.${format}`, await canvas(1600, 900).toFormat(format).toBuffer())
    expect((await media.identify(file)).kind).toBe('image')
    const { kind, original, preview, facts } = await process(file)
    expect({ kind, facts }).toEqual({ kind: 'image', facts: { width: 1600, height: 900 } })
    expect(original).toMatchObject({ contentType, extension, bytes: readFileSync(original.path).length })
    expect(preview).toMatchObject({
      width: 640,
      height: 360,
      file: { contentType, extension, bytes: readFileSync(preview!.file.path).length },
    })
    // 4 × 4 components, one colour.
    expect(preview!.blurhash).toMatch(/^U.{35}$/)
    const shown = await sharp(preview!.file.path).metadata()
    expect(shown).toMatchObject({ width: 640, height: 360, format: contentType.slice(6) })
    expect(output.list().toSorted()).toEqual([original.path, preview!.file.path].toSorted())
  })

  test('what is large is made smaller, what is small stays as it is', async () => {
    const large = await process(input.write('large', await canvas(5000, 4000).jpeg().toBuffer()))
    const { width, height } = large.facts
    expect(width! * height!).toBeLessThanOrEqual(8_294_400)
    expect(width! * height!).toBeGreaterThan(8_280_000)
    expect(width! / height!).toBeCloseTo(1.25, 2)
    const small = await process(input.write('small', await canvas(30, 20).png().toBuffer()))
    expect(small.facts).toEqual({ width: 30, height: 20 })
    expect(small.preview).toMatchObject({ width: 30, height: 20 })
    const line = await process(input.write('line', await canvas(15_000, 1).png().toBuffer()))
    expect(line.facts).toEqual({ width: 15_000, height: 1 })
  })

  test('orientation is applied; place, device, comments and profiles are gone [CNT-15]', async () => {
    const bytes = await canvas(60, 30)
      .jpeg()
      .withExif({
        IFD0: { Make: 'secret device', Copyright: 'secret person' },
        IFD3: { GPSLatitude: '48/1 8/1 0/1', GPSLatitudeRef: 'N', GPSMapDatum: 'secret place' },
      })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">secret xmp</x:xmpmeta>')
      .withMetadata({ orientation: 6 })
      .toBuffer()
    const comment = Buffer.from('\xff\xfe\x00\x10secret comment', 'latin1')
    const file = input.write('place.jpg', Buffer.concat([bytes.subarray(0, 2), comment, bytes.subarray(2)]))
    for (const secret of ['device', 'place', 'xmp', 'comment'])
      expect(contains(file, `secret ${secret}`)).toBe(true)
    const { original, preview, facts } = await process(file)
    expect(facts).toEqual({ width: 30, height: 60 })
    for (const made of [original.path, preview!.file.path]) {
      const { exif, xmp, iptc, icc, orientation, width, height } = await sharp(made).metadata()
      expect({ exif, xmp, iptc, icc, orientation }).toEqual({})
      expect({ width, height }).toEqual({ width: 30, height: 60 })
      expect(contains(made, 'secret')).toBe(false)
    }
  })

  test('transparency stays where the type has it, and becomes white where not', async () => {
    const png = await process(input.write('clear.png', await canvas(80, 80, 0).png().toBuffer()))
    expect(await sharp(png.original.path).metadata()).toMatchObject({ hasAlpha: true })
    const avif = await process(input.write('clear.avif', await canvas(80, 80, 0).avif().toBuffer()))
    const { dominant } = await sharp(avif.original.path).stats()
    expect(Math.min(dominant.r, dominant.g, dominant.b)).toBeGreaterThan(240)
  })

  test('a drawing with a palette keeps it', async () => {
    const bytes = await canvas(300, 300).png({ palette: true, colours: 4 }).toBuffer()
    const { original } = await process(input.write('palette.png', bytes))
    expect(await sharp(original.path).metadata()).toMatchObject({ isPalette: true })
  })

  test('a chosen thumbnail takes the place of the own preview', async () => {
    const file = input.write('own.png', await canvas(300, 300).png().toBuffer())
    const thumbnail = input.write('chosen.jpg', await canvas(2000, 500).jpeg().toBuffer())
    const { preview, original } = await process(file, thumbnail)
    expect(preview).toMatchObject({ width: 960, height: 240, file: { contentType: 'image/jpeg' } })
    expect(output.list().toSorted()).toEqual([original.path, preview!.file.path].toSorted())
    output.clear()
    const alone = await media.preview(thumbnail, output.path)
    expect(alone).toMatchObject({ width: 960, height: 240, blurhash: preview!.blurhash })
    expect(output.list()).toEqual([alone.file.path])
  })

  test('a thumbnail that is none leaves nothing', async () => {
    const file = input.write('fine.png', await canvas(30, 30).png().toBuffer())
    const broken = input.write('text.png', 'hello')
    await expect(process(file, broken)).rejects.toMatchObject({ code: 'invalid' })
    await expect(media.preview(broken, output.path)).rejects.toMatchObject({ code: 'invalid' })
    expect(output.list()).toEqual([])
  })

  test('an animated WebP is shown by its first frame', async () => {
    const frames = await sharp(Buffer.alloc(20 * 60 * 3, 90), {
      raw: { width: 20, height: 60, channels: 3, pageHeight: 20 },
    })
      .webp()
      .toBuffer()
    const { original, facts } = await process(input.write('moving.webp', frames))
    expect(facts).toEqual({ width: 20, height: 20 })
    expect((await sharp(original.path).metadata()).pages).toBeUndefined()
  })
})

describe('without ffmpeg', () => {
  test('pictures are all that is offered, and videos are refused', async () => {
    expect(await media.supportedTypes()).toEqual([
      'image/jpeg',
      'image/png',
      'image/gif',
      'image/webp',
      'image/avif',
    ])
    const video = input.write('a.mp4', Buffer.concat([Buffer.from('\0\0\0\x18ftypisom'), Buffer.alloc(200)]))
    await expect(media.identify(video)).rejects.toMatchObject({ code: 'invalid' })
  })

  test('an animated GIF stays one, without its comments', async () => {
    const bytes = tinyGif(5)
    const comment = Buffer.from('!\xfe\x0esecret comment\0', 'latin1')
    const at = bytes.indexOf(Buffer.from([0x21, 0xff]))
    const file = input.write('a.gif', Buffer.concat([bytes.subarray(0, at), comment, bytes.subarray(at)]))
    expect((await media.identify(file)).kind).toBe('image')
    const { original, preview, facts } = await process(file)
    expect(facts).toEqual({ width: 1, height: 1 })
    expect(original).toMatchObject({ contentType: 'image/gif', extension: 'gif' })
    expect(preview!.file).toMatchObject({ contentType: 'image/png' })
    expect((await sharp(original.path).metadata()).pages).toBe(5)
    expect(contains(original.path, 'secret')).toBe(false)
  })

  test('one with too many pixels in sum becomes its first frame', async () => {
    const frames = await sharp(Buffer.alloc(20 * 60 * 3, 90), {
      raw: { width: 20, height: 60, channels: 3, pageHeight: 20 },
    })
      .gif({ reuse: false, keepDuplicateFrames: true })
      .toBuffer()
    const few = createMediaProcessor({ limits: { ...limits, imagePixels: 1000 }, workers, ffmpeg: null })
    const { original } = await few.process(input.write('b.gif', frames), { directory: output.path })
    expect(original.contentType).toBe('image/png')
  })
})

describe('limits of pictures', () => {
  test('too many bytes', async () => {
    const file = input.write(
      'heavy.jpg',
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(2 ** 24)]),
    )
    await expect(media.identify(file)).rejects.toThrow('Validation failed: File must be less than 16 MB')
  })

  test('a HEIC that the library cannot decode is a type that is not taken', async () => {
    const avif = await canvas(64, 64).avif().toBuffer()
    const patched = avif
      .toString('latin1')
      .replaceAll('avif', 'heic')
      .replaceAll('av01', 'hvc1')
      .replaceAll('av1C', 'hvcC')
    const file = input.write('a.heic', Buffer.from(patched, 'latin1'))
    await expect(media.identify(file)).rejects.toMatchObject({ code: 'invalid' })
    expect(await media.supportedTypes()).not.toContain('image/heic')
  })

  test('a bomb of pixels is refused by its header, whether it has pixels or not [CNT-16]', async () => {
    const bombs = {
      '16384x16384 images are not supported': blackPng(16_384, 16_384),
      '50000x50000 images are not supported': blackPng(50_000, 50_000, { pixels: Buffer.alloc(100) }),
    }
    for (const [message, bytes] of Object.entries(bombs)) {
      const file = input.write('bomb.png', bytes)
      await expect(media.identify(file)).rejects.toMatchObject({ code: 'invalid', message })
      await expect(process(file)).rejects.toMatchObject({ code: 'invalid', message })
    }
    expect(output.list()).toEqual([])
  })

  test('an animation of 100,000 frames is refused [CNT-16]', async () => {
    const file = input.write('bomb.gif', tinyGif(100_000))
    await expect(media.identify(file)).rejects.toMatchObject({ code: 'invalid' })
    expect((await media.identify(input.write('fine.gif', tinyGif(100)))).kind).toBe('image')
  })
})
