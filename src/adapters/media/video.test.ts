import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { loadConfig } from '#config/config.ts'
import { recordingLog } from '#test/app/log.ts'
import { variants } from '#test/run/night.ts'
import { contains, ffmpegMissing, look, picture, tinyGif, tone, useFolder } from '#test/files/media-files.ts'
import { createFfmpeg, findFfmpeg } from './ffmpeg/ffmpeg.ts'
import { createImageWorkers } from './images/image-workers.ts'
import { createMediaProcessor } from './processor.ts'

const log = recordingLog()
const { limits } = loadConfig({})
const workers = createImageWorkers({ log })
const programs = await findFfmpeg(process.env['PATH'])
const ffmpeg = programs && createFfmpeg(programs, { log })
afterAll(() => Promise.all([workers.close(), ffmpeg?.close()]))
const media = createMediaProcessor({ limits, workers, ffmpeg })
const input = useFolder()
const output = useFolder()
afterEach(() => output.clear())
const convert = (file: string) => media.process(file, { directory: output.path })
const withLimits = (changed: Partial<typeof limits>) =>
  createMediaProcessor({ limits: { ...limits, ...changed }, workers, ffmpeg })

const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
/** Where the index lies before the pictures, so that playing can begin at once. */
const startsFast = (file: string) => {
  const bytes = readFileSync(file)
  return bytes.indexOf('moov') < bytes.indexOf('mdat')
}

describe.skipIf(ffmpegMissing)(`videos (${ffmpegMissing ?? 'ffmpeg is installed'})`, () => {
  test('an MP4 with sound is kept as it is, with its facts and a preview', async () => {
    const file = input.encode('a.mp4', ...picture(), ...tone(), ...h264, '-c:a', 'aac')
    expect((await media.identify(file)).kind).toBe('video')
    const { kind, original, preview, facts } = await convert(file)
    expect({ kind, type: original.contentType, extension: original.extension }).toEqual({
      kind: 'video',
      type: 'video/mp4',
      extension: 'mp4',
    })
    expect(facts).toEqual({
      width: 320,
      height: 240,
      frameRate: '25/1',
      duration: expect.closeTo(1, 0),
      bitrate: expect.any(Number),
      audioEncode: 'aac (LC) (mp4a / 0x6134706D)',
      audioBitrate: '44100 Hz',
      audioChannels: 'mono',
    })
    expect(preview).toMatchObject({ width: 320, height: 240, file: { contentType: 'image/jpeg' } })
    expect(preview!.blurhash).toMatch(/^U.{35}$/)
    expect(startsFast(original.path)).toBe(true)
    // The same pictures, not converted anew: ffmpeg's own would be smaller or larger.
    const [before, after] = [look(file).streams[0]!, look(original.path).streams[0]!]
    expect(after['nb_frames']).toBe(before['nb_frames'])
    expect(after['profile']).toBe(before['profile'])
    expect(output.list().toSorted()).toEqual([original.path, preview!.file.path].toSorted())
  })

  test('an MP4 without sound is a gifv', async () => {
    const file = input.encode('silent.mp4', ...picture(), ...h264)
    expect((await media.identify(file)).kind).toBe('gifv')
    const { kind, original, facts } = await convert(file)
    expect(kind).toBe('gifv')
    expect(facts.audioEncode).toBeUndefined()
    expect(look(original.path).streams.map((stream) => stream['codec_type'])).toEqual(['video'])
  })

  const others = [
    ['webm', ['-c:v', 'libvpx', '-deadline', 'realtime', '-c:a', 'libvorbis']],
    ['mp4', [...h264.slice(0, 4), '-pix_fmt', 'yuv444p', '-c:a', 'libmp3lame']],
    ['mov', ['-c:v', 'mpeg4', '-c:a', 'pcm_s16le']],
    ['mp4', ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none', '-c:a', 'aac']],
    ['ogv', ['-c:v', 'libtheora', '-c:a', 'libvorbis']],
  ] as const
  test.each(variants(others, 1))(
    '%s with %j becomes an MP4 that every browser plays',
    async (extension, codecs) => {
      const file = input.encode(
        `other.${extension}`,
        ...picture('size=321x241:rate=30'),
        ...tone(),
        ...codecs,
      )
      expect((await media.identify(file)).kind).toBe('video')
      const { kind, original, facts } = await convert(file)
      expect(kind).toBe('video')
      expect(facts).toMatchObject({ width: 320, height: 240, duration: expect.closeTo(1, 0) })
      expect(look(original.path).streams).toMatchObject([
        { codec_name: 'h264', pix_fmt: 'yuv420p', width: 320, height: 240 },
        { codec_name: 'aac' },
      ])
      expect(startsFast(original.path)).toBe(true)
    },
  )

  test('a WebM as browsers record it, without a duration and with a clock of milliseconds', async () => {
    const live = input.encode(
      'live.webm',
      ...picture('size=160x120:rate=10'),
      ...tone(),
      '-c:v',
      'libvpx',
      '-c:a',
      'libopus',
      '-live',
      '1',
    )
    const { kind, facts } = await convert(live)
    expect(kind).toBe('video')
    expect(facts.duration).toBeCloseTo(1, 0)
  })

  test('a video that lies on its side is described as it is shown', async () => {
    const upright = input.encode('upright.mov', ...picture(), ...tone(), ...h264, '-c:a', 'aac')
    const file = input.encode('side.mov', '-i', upright, '-c', 'copy', '-metadata:s:v', 'rotate=90')
    const { facts, preview } = await convert(file)
    expect(facts).toMatchObject({ width: 240, height: 320 })
    expect(preview).toMatchObject({ width: 240, height: 320 })
  })

  test('pixels that are not square become so', async () => {
    const file = input.encode(
      'anamorphic.webm',
      ...picture('size=320x240'),
      '-vf',
      'setsar=2',
      '-c:v',
      'libvpx',
    )
    expect((await convert(file)).facts).toMatchObject({ width: 640, height: 240 })
  })

  test('large videos of other codecs are made smaller', async () => {
    const file = input.encode(
      'large.webm',
      ...picture('size=2560x1440:rate=2'),
      '-c:v',
      'libvpx',
      '-deadline',
      'realtime',
    )
    const { width, height } = (await convert(file)).facts
    expect({ width, height }).toEqual({ width: 1920, height: 1080 })
  })

  test.each(variants(['33x21', '1x1'], 1))('an animated GIF of %s becomes a silent MP4', async (size) => {
    const file = input.encode('moving.gif', ...picture(`size=${size === '1x1' ? '2x2' : size}:rate=10`))
    const source = size === '1x1' ? input.write('tiny.gif', tinyGif(5)) : file
    expect((await media.identify(source)).kind).toBe('gifv')
    const { kind, original, preview, facts } = await convert(source)
    expect({ kind, type: original.contentType }).toEqual({ kind: 'gifv', type: 'video/mp4' })
    expect(facts.width! % 2).toBe(0)
    expect(facts.height! % 2).toBe(0)
    expect(facts.duration).toBeGreaterThan(0.1)
    expect(look(original.path).streams).toMatchObject([{ codec_name: 'h264', pix_fmt: 'yuv420p' }])
    expect(preview!.file.contentType).toBe('image/jpeg')
  })

  test('a GIF that does not move stays a picture', async () => {
    const file = input.write(
      'still.gif',
      await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
        .gif()
        .toBuffer(),
    )
    expect((await media.identify(file)).kind).toBe('image')
    expect((await convert(file)).original.contentType).toBe('image/png')
  })

  test('titles, places, devices, chapters, subtitles and remarks in the stream are gone [CNT-15]', async () => {
    const subtitles = input.write('a.srt', '1\n00:00:00,000 --> 00:00:01,000\nsecret telemetry\n')
    const chapters = input.write(
      'chapters',
      ';FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1\nSTART=0\nEND=1\ntitle=secret chapter\n',
    )
    const uuid = '086f3693-b7b3-4f2c-9653-21492feee5b8'
    const tags = {
      title: 'secret title',
      make: 'secret device',
      'com.apple.quicktime.location.ISO6709': '+48.1+11.5/secret place',
    }
    const file = input.encode(
      'place.mp4',
      ...[picture(), tone(), ['-i', subtitles, '-i', chapters, '-map_chapters', '3']].flat(),
      ...['0', '1', '2'].flatMap((map) => ['-map', map]),
      ...Object.entries(tags).flatMap(([name, value]) => ['-metadata', `${name}=${value}`]),
      ...h264.concat('-c:a', 'aac', '-c:s', 'mov_text', '-movflags', 'use_metadata_tags'),
      '-bsf:v',
      `h264_metadata=sei_user_data=${uuid}+secret remark`,
      '-metadata:s:v',
      'handler_name=secret handler',
    )
    for (const secret of ['telemetry', 'chapter', 'remark', 'place', 'title', 'device', 'handler']) {
      expect(contains(file, `secret ${secret}`)).toBe(true)
    }
    const { original } = await convert(file)
    expect(contains(original.path, 'secret')).toBe(false)
    const { streams, tags: left } = look(original.path)
    expect(streams.map((stream) => stream['codec_type'])).toEqual(['video', 'audio'])
    expect(Object.keys(left).toSorted()).toEqual(['compatible_brands', 'major_brand', 'minor_version'])
  })
})

describe.skipIf(ffmpegMissing)(`sounds (${ffmpegMissing ?? 'ffmpeg is installed'})`, () => {
  const sounds = [
    ['wav', ['-c:a', 'pcm_s16le']],
    ['ogg', ['-c:a', 'libopus']],
    ['flac', []],
    ['m4a', ['-c:a', 'aac']],
    ['mp3', ['-c:a', 'libmp3lame', '-id3v2_version', '0', '-write_xing', '0']],
    ['wma', ['-c:a', 'wmav2']],
    ['aac', ['-c:a', 'aac']],
    ['wav', ['-c:a', 'pcm_f32le']],
    ['ogg', ['-c:a', 'libvorbis']],
    ['m4a', ['-c:a', 'alac']],
    ['webm', ['-c:a', 'libopus']],
    ['mp3', ['-c:a', 'libmp3lame', '-b:a', '64k']],
  ] as const
  test.each(variants(sounds, 1))('%s with %j becomes an MP3', async (extension, codecs) => {
    const file = input.encode(`a.${extension}`, ...tone(2), ...codecs)
    expect((await media.identify(file)).kind).toBe('audio')
    const { kind, original, preview, facts } = await convert(file)
    expect({ kind, preview, type: original.contentType, extension: original.extension }).toEqual({
      kind: 'audio',
      preview: null,
      type: 'audio/mpeg',
      extension: 'mp3',
    })
    expect(facts).toEqual({
      duration: expect.closeTo(2, 0),
      bitrate: expect.any(Number),
      audioEncode: 'mp3',
      audioBitrate: expect.stringMatching(/^\d+ Hz$/),
      audioChannels: 'mono',
    })
    expect(look(original.path).streams).toMatchObject([{ codec_name: 'mp3' }])
    expect(output.list()).toEqual([original.path])
  })

  test.each(variants(['mp3', 'm4a', 'flac'], 1))(
    'the cover of an %s is its preview, and its tags are gone [CNT-15]',
    async (extension) => {
      const cover = input.write(
        'cover.png',
        await sharp({ create: { width: 1000, height: 1000, channels: 3, background: 'teal' } })
          .png()
          .toBuffer(),
      )
      const file = input.encode(
        `cover.${extension}`,
        ...tone().concat(
          '-i',
          cover,
          '-map',
          '0',
          '-map',
          '1',
          '-c:v',
          'mjpeg',
          '-disposition:v',
          'attached_pic',
        ),
        ...['title=secret title', 'comment=secret place'].flatMap((tag) => ['-metadata', tag]),
      )
      const { kind, original, preview } = await convert(file)
      expect(kind).toBe('audio')
      expect(preview).toMatchObject({ width: 480, height: 480, file: { contentType: 'image/jpeg' } })
      expect(contains(file, 'secret place')).toBe(true)
      expect(contains(original.path, 'secret')).toBe(false)
      expect(look(original.path).streams.map((stream) => stream['codec_type'])).toEqual(['audio'])
      expect(output.list().toSorted()).toEqual([original.path, preview!.file.path].toSorted())
    },
  )

  test('a chosen thumbnail is the preview of a sound without cover', async () => {
    const thumbnail = input.write(
      't.png',
      await sharp({ create: { width: 100, height: 50, channels: 3, background: 'teal' } })
        .png()
        .toBuffer(),
    )
    const made = await media.process(input.encode('b.wav', ...tone()), { directory: output.path, thumbnail })
    expect(made.preview).toMatchObject({ width: 100, height: 50, file: { contentType: 'image/png' } })
  })
})

describe.skipIf(ffmpegMissing)(`limits of videos (${ffmpegMissing ?? 'ffmpeg is installed'})`, () => {
  test('what is offered is what Mastodon offers, without HEIC', async () => {
    expect(await media.supportedTypes()).toEqual(
      expect.arrayContaining(['video/mp4', 'video/quicktime', 'audio/mpeg', 'image/avif']),
    )
    expect(await media.supportedTypes()).toHaveLength(26)
  })

  test('too many bytes, pixels, frames, frames a second', async () => {
    const file = input.encode('a.mp4', ...picture('size=320x240:rate=50'), ...tone(), ...h264, '-c:a', 'aac')
    const cases = [
      [{ videoBytes: 4096 }, 'Validation failed: File must be less than 1 MB'],
      [{ videoPixels: 320 * 239 }, '320x240 videos are not supported'],
      [{ videoFrames: 49 }, 'Videos of 50 frames are not supported'],
      [{ videoFramesPerSecond: 30 }, '50fps videos are not supported'],
    ] as const
    for (const [changed, message] of cases) {
      await expect(withLimits(changed).identify(file)).rejects.toMatchObject({ code: 'invalid', message })
    }
    const [[few, message]] = cases
    await expect(withLimits(few).process(file, { directory: output.path })).rejects.toThrow(message)
    expect(output.list()).toEqual([])
  })

  test('an animation of 100,000 frames is refused [CNT-16]', async () => {
    await expect(media.identify(input.write('bomb.gif', tinyGif(100_000)))).rejects.toThrow(
      'Animations of 100000 frames',
    )
  })

  const untaken = [
    ['mkv', ['-c:v', 'libx264', '-preset', 'ultrafast']],
    ['ts', ['-c:v', 'libx264', '-preset', 'ultrafast']],
    ['avi', ['-c:v', 'mpeg4']],
    ['wmv', ['-c:v', 'wmv2']],
    ['flv', ['-c:v', 'flv']],
  ] as const
  test.each(variants(untaken, 1))('%s is a type that is not taken', async (extension, codecs) => {
    const file = input.encode(`a.${extension}`, ...picture(), ...tone(), ...codecs)
    await expect(media.identify(file)).rejects.toThrow('Validation failed: File content type is invalid')
  })

  test('a codec that is not among the common ones is not decoded', async () => {
    const file = input.encode('odd.mov', ...picture(), '-c:v', 'qtrle')
    await expect(convert(file)).rejects.toMatchObject({ code: 'invalid' })
    expect(output.list()).toEqual([])
  })

  test('a video that is cut off', async () => {
    const whole = readFileSync(input.encode('whole.mp4', ...picture(), ...tone(), ...h264, '-c:a', 'aac'))
    const cut = input.write('cut.mp4', whole.subarray(0, whole.length / 2))
    await expect(media.identify(cut)).rejects.toMatchObject({ code: 'invalid' })
    await expect(convert(cut)).rejects.toMatchObject({ code: 'invalid' })
    expect(output.list()).toEqual([])
  })
})
