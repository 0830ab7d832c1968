// What ffprobe tells of a film or a sound.
import { z } from 'zod'
import { isAppError, unprocessable } from '#lib/errors.ts'
import type { Ffmpeg } from './ffmpeg.ts'
import { optionsOf } from './ffmpeg-options.ts'
import { inputOf, quietly, type InputFormat } from './ffmpeg-input.ts'
import { wrongType } from '../kit/wrong-type.ts'

const number = z.coerce.number().optional().catch(undefined)
const word = z.string().optional()

const streamSchema = z.object({
  index: z.number(),
  codec_type: word,
  codec_name: word,
  codec_tag_string: word,
  codec_tag: word,
  profile: word,
  width: number,
  height: number,
  pix_fmt: word,
  avg_frame_rate: word,
  r_frame_rate: word,
  nb_read_packets: number,
  channels: number,
  channel_layout: word,
  sample_rate: number,
  duration: number,
  disposition: z.object({ attached_pic: z.number() }).partial().optional(),
  side_data_list: z.array(z.object({ rotation: number })).optional(),
})
const outputSchema = z.object({
  streams: z.array(streamSchema).default([]),
  format: z.object({ duration: number, bit_rate: number }).default({}),
})

export type ProbedStream = z.infer<typeof streamSchema>

export interface Probe {
  video: ProbedStream | null
  audio: ProbedStream | null
  /** A picture that belongs to a sound. */
  cover: ProbedStream | null
  /** Seconds; null when the file does not say. */
  duration: number | null
  /** Bits a second. */
  bitrate: number | null
}

const entries = [
  'format=duration,bit_rate',
  `stream=${Object.keys(streamSchema.shape)
    .filter((name) => name !== 'disposition' && name !== 'side_data_list')
    .join(',')}`,
  'stream_disposition=attached_pic',
  'stream_side_data=rotation',
].join(':')
const deadline = 20_000

/** Reads headers and counts packets, decoding next to nothing. Throws AppError `invalid` when it is no such file. */
export async function probe(
  ffmpeg: Ffmpeg,
  file: { path: string; format: InputFormat; folder: string },
): Promise<Probe> {
  const args = [
    ...quietly,
    ...optionsOf({ print_format: 'json', count_packets: true, show_entries: entries }),
    ...inputOf(file.path, file.format),
  ]
  const printed = await ffmpeg.run({ program: 'ffprobe', folder: file.folder, deadline, args }).catch(explain)
  return understand(printed)
}

function explain(error: unknown): never {
  const isRareCodec = isAppError(error, 'invalid') && String(error.cause).includes('not on whitelist')
  throw isRareCodec ? wrongType('a codec that is not among those taken') : error
}

function understand(printed: string): Probe {
  const parsed = outputSchema.safeParse(JSON.parse(printed))
  if (!parsed.success) throw unprocessable('file_unreadable', undefined, { cause: parsed.error })
  const { streams, format } = parsed.data
  const isCover = (stream: ProbedStream) => stream.disposition?.attached_pic === 1
  const videos = streams.filter(({ codec_type, codec_name }) => codec_type === 'video' && codec_name)
  return {
    video: videos.find((stream) => !isCover(stream)) ?? null,
    audio: streams.find(({ codec_type, codec_name }) => codec_type === 'audio' && codec_name) ?? null,
    cover: videos.find(isCover) ?? null,
    duration: format.duration ?? null,
    bitrate: format.bit_rate ?? null,
  }
}

/** A fraction such as `30000/1001` as a number; null for `0/0`. */
export function parseRate(rate: string | undefined): number | null {
  const [over = 0, under = 0] = (rate ?? '').split('/').map(Number)
  return over > 0 && under > 0 ? over / under : null
}
