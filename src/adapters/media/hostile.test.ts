// Files that attackers would upload. None may be shown as it is, read another file, or reach another host.
import { readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '#config/config.ts'
import { recordingLog } from '#test/app/log.ts'
import { blackPng, contains, ffmpegMissing, picture, tone, useFolder } from '#test/files/media-files.ts'
import { variants } from '#test/run/night.ts'
import { runProcessSync } from '#test/processes/processes.ts'
import { createFfmpeg, findFfmpeg } from './ffmpeg/ffmpeg.ts'
import { createImageWorkers } from './images/image-workers.ts'
import { createMediaProcessor } from './processor.ts'

const log = recordingLog()
const workers = createImageWorkers({ log })
const programs = await findFfmpeg(process.env['PATH'])
const ffmpeg = programs && createFfmpeg(programs, { log })
const media = createMediaProcessor({ limits: loadConfig({}).limits, workers, ffmpeg })
const input = useFolder()
const output = useFolder()

let connections = 0
const listener = createServer((socket) => {
  connections++
  socket.destroy()
})
beforeAll(() => new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve)))
afterAll(() =>
  Promise.all([workers.close(), ffmpeg?.close(), new Promise((resolve) => listener.close(resolve))]),
)
afterEach(() => output.clear())
const host = () => `127.0.0.1:${(listener.address() as AddressInfo).port}`

/** What became of a file, in all ways in which it can be handed in. */
async function outcomes(file: string) {
  const code = (error: { code: string }) => error.code
  return {
    identify: await media.identify(file).then(({ kind }) => kind, code),
    process: await media.process(file, { directory: output.path }).catch(code),
    preview: await media.preview(file, output.path).catch(code),
    files: output.list(),
  }
}
const refused = { identify: 'invalid', process: 'invalid', preview: 'invalid', files: [] }

const red = { create: { width: 40, height: 30, channels: 3, background: 'red' } } as const
const secretScript = '<script>alert("secret")</script>'

describe('what is no picture is refused, whatever it is called [CNT-11]', () => {
  test.each([
    ['empty.png', ''],
    ['text.png', 'hello'],
    ['page.png', `<!doctype html>${secretScript}`],
    ['page.jpg', `\n\n<html><body>${secretScript}`],
    [
      'drawing.png',
      '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>',
    ],
    ['activity.png', '{"@context":"https://www.w3.org/ns/activitystreams","type":"Create"}'],
    ['script.gif', `GIF89a/*${secretScript}*/=1`],
    ['header.jpg', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16])],
    ['document.png', '%PDF-1.7\n1 0 obj'],
    ['archive.png', Buffer.from('PK\x03\x04aaaaaaaaaaaaaaaa')],
    ['program.png', Buffer.from('\x7fELF\x02\x01\x01aaaaaaaaaaaa')],
    ['postscript.jpg', '%!PS\n(%pipe%id) (r) file'],
    ['magick.png', 'push graphic-context\nfill "url(https://127.0.0.1/a)"\npop graphic-context'],
  ])('%s', async (name, content) => {
    expect(await outcomes(input.write(name, content))).toEqual(refused)
  })

  test('a drawing that loads others', async () => {
    const secret = input.write('secret.png', await sharp(red).png().toBuffer())
    const links = [`http://${host()}/a.png`, `file://${secret}`, secret]
    const images = links.map((link) => `<image href="${link}" width="9" height="9"/>`).join('')
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${images}</svg>`
    expect(await outcomes(input.write('links.png', svg))).toEqual(refused)
    expect(await outcomes(input.write('links.svg', `\ufeff<!-- -->${svg}`))).toEqual(refused)
  })

  test('types that the library could read but we do not take', async () => {
    expect(await outcomes(input.write('a.tiff', await sharp(red).tiff().toBuffer()))).toEqual(refused)
    expect(await outcomes(input.write('a.ppm', 'P6 1 1 255\nabc'))).toEqual(refused)
  })

  test.each(['jpeg', 'png', 'webp', 'avif', 'gif'] as const)('a %s that is cut off', async (format) => {
    const noise = Buffer.from(Array.from({ length: 300 * 300 * 3 }, (_, n) => (n * n * 7919) % 251))
    const whole = await sharp(noise, { raw: { width: 300, height: 300, channels: 3 } })
      .toFormat(format)
      .toBuffer()
    const file = input.write(`cut.${format}`, whole.subarray(0, whole.length * 0.6))
    await expect(media.process(file, { directory: output.path })).rejects.toMatchObject({ code: 'invalid' })
    expect(output.list()).toEqual([])
  })
})

describe('nothing of what is hidden in or behind a picture is left [CNT-11]', () => {
  test.each(['jpeg', 'png', 'webp', 'gif'] as const)('HTML and an archive behind a %s', async (format) => {
    const bytes = await sharp(red).toFormat(format).toBuffer()
    const zip = Buffer.concat([Buffer.from(`PK\x03\x04${secretScript}`, 'latin1'), Buffer.alloc(60)])
    const file = input.write(`behind.${format}`, Buffer.concat([bytes, Buffer.from(secretScript), zip]))
    const { original, preview } = await media.process(file, { directory: output.path })
    for (const made of [original.path, preview!.file.path]) {
      expect(contains(made, 'secret')).toBe(false)
      expect(contains(made, 'PK\x03\x04')).toBe(false)
    }
  })

  test('texts, colour profiles and unknown chunks of a PNG', async () => {
    const text = Buffer.from(`Comment\0${secretScript}`)
    const file = input.write(
      'chunks.png',
      blackPng(64, 64, {
        chunks: [
          ['tEXt', text],
          ['prVt', text],
        ],
      }),
    )
    expect(contains(file, 'secret')).toBe(true)
    const { original } = await media.process(file, { directory: output.path })
    expect(contains(original.path, 'secret')).toBe(false)
  })
})

describe('bombs in metadata [CNT-16]', () => {
  const zeros = deflateSync(Buffer.alloc(2 ** 29), { level: 1 })

  test.each(['zTXt', 'iTXt', 'iCCP', 'eXIf'])('half a gigabyte in %s', async (name) => {
    const head = name === 'iTXt' ? 'Comment\0\x01\0\0\0' : 'Comment\0\0'
    const data = name === 'eXIf' ? zeros : Buffer.concat([Buffer.from(head, 'latin1'), zeros])
    const file = input.write('bomb.png', blackPng(64, 64, { chunks: [[name, data]] }))
    // Either it is refused, or the picture is shown without it.
    const outcome = await media.process(file, { directory: output.path }).then(
      ({ original, preview }) => original.bytes + preview!.file.bytes < 10_000,
      (error) => error.code === 'invalid',
    )
    expect(outcome).toBe(true)
    expect(peakBytes()).toBeLessThan(300 * 2 ** 20)
  })
})

/** The most memory that any of the processes that read pictures ever had; 0 where the system does not tell. */
function peakBytes(): number {
  const peaks = workers.pids().map((pid) => {
    try {
      return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
    } catch {
      return 0
    }
  })
  return Math.max(0, ...peaks)
}

describe.skipIf(ffmpegMissing)(`videos and sounds (${ffmpegMissing ?? 'ffmpeg is installed'})`, () => {
  const secretAudio = () => input.encode('secret.wav', ...tone())

  test('playlists and lists of files, whatever they are called [CNT-14]', async () => {
    const secret = secretAudio()
    const links = [`http://${host()}/a.ts`, `concat:${secret}|${secret}`, `file://${secret}`, secret]
    for (const link of variants(links, 2)) {
      const playlist = `#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:10.0,\n${link}\n#EXT-X-ENDLIST\n`
      const mpd = `<?xml version="1.0"?><MPD><BaseURL>${link}</BaseURL></MPD>`
      const texts = {
        playlist,
        concatenation: `ffconcat version 1.0\nfile '${link}'\n`,
        mpd,
        session: `v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nm=audio 9 RTP/AVP 0\na=control:${link}\n`,
        smil: `<smil><body><video src="${link}"/></body></smil>`,
        reference: `[Reference]\nRef1=${link}\n`,
        // What its first bytes claim is believed, so that it is read as nothing else.
        disguised: `\0\0\0\x18ftypisom\0\0\0\0isomiso2\n${playlist}`,
        ogg: `OggS\n${playlist}`,
        tagged: `ID3\x03\0\0\0\0\0\0${playlist}`,
      }
      for (const [name, text] of Object.entries(texts)) {
        expect(await outcomes(input.write(`${name}.mp4`, Buffer.from(text, 'latin1')))).toEqual(refused)
      }
    }
  })

  test('an AVI whose subtitles are a playlist [CNT-14]', async () => {
    const text = Buffer.from(`GAB2\0\x02\0\0\0\0\0\0\0#EXTM3U\n#EXTINF:1,\nhttp://${host()}/a\n`, 'latin1')
    const avi = readFileSync(input.encode('plain.avi', ...picture(), '-c:v', 'mpeg4'))
    expect(await outcomes(input.write('gab2.mp4', Buffer.concat([avi, text])))).toEqual(refused)
  })

  test('a video whose sound lies in another file [CNT-17]', async () => {
    const secret = input.write('secret.pcm', Buffer.alloc(44_100, 'secret'))
    const whole = readFileSync(input.encode('whole.mov', ...tone(), '-c:a', 'pcm_u8'))
    const file = input.write('reference.mov', withExternalAudio(whole, secret))
    // The file is well made: whoever allows it does read the other one.
    const careless = ['-v', 'error', '-enable_drefs', '1', '-use_absolute_path', '1', '-i', file]
    const copy = ['-map', '0', '-c', 'copy', '-f', 'data', '-']
    const read = runProcessSync('ffmpeg', [...careless, ...copy]).stdout
    expect(read.includes('secretsecret')).toBe(true)
    const made = await media.process(file, { directory: output.path }).catch((error: unknown) => error)
    expect(made).toMatchObject({ code: 'invalid' })
    expect(output.list()).toEqual([])
  })

  test('a cover that is a link is not fetched [CNT-14]', async () => {
    const link = Buffer.from(`\0-->\0\x03\0http://${host()}/cover.png`, 'latin1')
    const frame = Buffer.concat([Buffer.from('APIC\0\0\0\0\0\0', 'latin1'), link])
    frame.writeUInt32BE(link.length, 4)
    const header = Buffer.from([0x49, 0x44, 0x33, 3, 0, 0, 0, 0, 0, frame.length])
    const sound = readFileSync(input.encode('plain.mp3', ...tone(), '-id3v2_version', '0'))
    const file = input.write('link.mp3', Buffer.concat([header, frame, sound]))
    const { kind, preview } = await media.process(file, { directory: output.path })
    expect({ kind, preview }).toEqual({ kind: 'audio', preview: null })
  })

  test.each([
    ['mp4', ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac']],
    ['webm', ['-c:v', 'libvpx', '-deadline', 'realtime', '-c:a', 'libvorbis']],
  ] as const)('HTML behind a video is gone (%s) [CNT-11]', async (extension, codecs) => {
    const bytes = readFileSync(input.encode(`plain.${extension}`, ...picture(), ...tone(), ...codecs))
    const box = Buffer.concat([
      Buffer.from('\0\0\x01\0free', 'latin1'),
      Buffer.from(secretScript.padEnd(248)),
    ])
    const behind = extension === 'mp4' ? box : Buffer.from(secretScript)
    const file = input.write(`behind.${extension}`, Buffer.concat([bytes, behind]))
    const { original } = await media.process(file, { directory: output.path })
    expect(contains(original.path, 'secret')).toBe(false)
  })

  test.each(variants(['mp3', 'wav', 'flac', 'ogg'], 1))(
    'HTML behind and within a sound is gone (%s) [CNT-11]',
    async (extension) => {
      const bytes = readFileSync(input.encode(`plain.${extension}`, ...tone()))
      const html = Buffer.from(`<!doctype html>${secretScript}`)
      const half = Math.floor(bytes.length / 2)
      const parts =
        extension === 'mp3' ? [bytes.subarray(0, half), html, bytes.subarray(half), html] : [bytes, html]
      const file = input.write(`behind.${extension}`, Buffer.concat(parts))
      const { original } = await media.process(file, { directory: output.path })
      expect(contains(original.path, 'script')).toBe(false)
    },
  )

  test('random bytes after the head of every container are refused, or harmless', async () => {
    const heads = [
      '\0\0\0\x18ftypmp42',
      '\x1aE\xdf\xa3\x9fB\x82\x84webm',
      'OggS\0\x02',
      'RIFF\xff\xff\0\0WAVEfmt ',
      'fLaC\0\0\0"',
      '\xff\xfb\x90d',
      '\xff\xf1P\x80',
    ]
    for (const head of heads) {
      const noise = Buffer.from(Array.from({ length: 20_000 }, (_, n) => (n * n * 31 + n * 7) % 256))
      const file = input.write('noise.bin', Buffer.concat([Buffer.from(head, 'latin1'), noise]))
      const code = await media.process(file, { directory: output.path }).then(
        () => 'made',
        (error) => error.code,
      )
      expect(['made', 'invalid']).toContain(code)
    }
  })
})

test('none of these files made anybody call another host [CNT-14]', () => {
  expect(connections).toBe(0)
})

/**
 * Replaces the reference "within this file" of the first track by a Macintosh alias with an absolute path
 * (QuickTime File Format, "Data reference atoms"). The index lies behind the data, so no offset changes.
 */
function withExternalAudio(video: Buffer, target: string): Buffer {
  const at = video.indexOf('dref') - 4
  const path = target.replaceAll('/', ':')
  const record = Buffer.alloc(150)
  const length = Buffer.alloc(4)
  length.writeInt16BE(2, 0)
  length.writeInt16BE(path.length, 2)
  const end = Buffer.from([0xff, 0xff, 0, 0])
  const padded = path.length % 2 ? `${path}\0` : path
  const alias = Buffer.concat([Buffer.alloc(4), record, length, Buffer.from(padded), end])
  // Level numbers that say: an absolute path.
  alias.writeInt16BE(-1, 4 + 130)
  alias.writeInt16BE(-1, 4 + 132)
  const entry = Buffer.concat([Buffer.alloc(4), Buffer.from('alis'), alias])
  entry.writeUInt32BE(entry.length)
  const old = video.readUInt32BE(at)
  const dref = Buffer.concat([video.subarray(at, at + 16), entry])
  const grown = Buffer.concat([video.subarray(0, at), dref, video.subarray(at + old)])
  for (const name of ['moov', 'trak', 'mdia', 'minf', 'dinf', 'dref']) {
    const box = name === 'moov' ? grown.lastIndexOf(name) - 4 : grown.lastIndexOf(name, at + 4) - 4
    grown.writeUInt32BE(grown.readUInt32BE(box) + dref.length - old, box)
  }
  return grown
}
