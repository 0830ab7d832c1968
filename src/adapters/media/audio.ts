// Sounds become MP3, which every browser plays.
import path from 'node:path'
import { isAppError, unprocessable } from '#lib/errors.ts'
import type { MediaFacts } from '#lib/media.ts'
import type { MediaFile } from '#ports/media-processor.ts'
import { audioFacts } from './facts.ts'
import type { Ffmpeg } from './ffmpeg/ffmpeg.ts'
import { optionsOf } from './ffmpeg/ffmpeg-options.ts'
import { inputOf, quietly } from './ffmpeg/ffmpeg-input.ts'
import { processorTime, withoutMetadata, type Source } from './ffmpeg/ffmpeg-output.ts'
import { mediaFile } from './media-file.ts'
import { copyMp3Frames } from './ffmpeg/mp3-frames.ts'
import { probe, type Probe, type ProbedStream } from './ffmpeg/probe.ts'
import type { MediaLimits } from './rules.ts'

const deadline = 10 * 60_000

/** The sound as it will be played. Throws AppError `invalid` when it cannot be converted within the limits. */
export async function makeAudio(
  ffmpeg: Ffmpeg,
  source: Source & { probed: Probe },
  limits: MediaLimits,
): Promise<{ file: MediaFile; facts: MediaFacts }> {
  const audio = source.probed.audio!
  const target = path.join(source.folder, 'sound.mp3')
  const max = limits.videoBytes * 2
  const isMp3 = audio.codec_name === 'mp3' && source.format === 'mp3'
  const pure = isMp3 ? path.join(source.folder, 'frames') : source.path
  if (isMp3 && !(await copyMp3Frames(source.path, pure))) throw unprocessable('file_unreadable')
  await ffmpeg.run({
    program: 'ffmpeg',
    folder: source.folder,
    deadline,
    args: [
      ...quietly,
      ...processorTime,
      ...optionsOf({ threads: 1 }),
      ...inputOf(pure, source.format),
      ...optionsOf({ map: isMp3 ? '0:a:0' : `0:${audio.index}` }),
      ...optionsOf(isMp3 ? { c: 'copy' } : conversion(audio)),
      ...withoutMetadata,
      ...optionsOf({ vn: true, id3v2_version: 0, write_id3v1: 0, fs: max, f: 'mp3' }),
      `file:${target}`,
    ],
  })
  const file = await mediaFile(target, 'audio/mpeg')
  if (file.bytes >= max * 0.99) throw unprocessable('file_would_become_too_large')
  const made = await probe(ffmpeg, { path: target, format: 'mp3', folder: source.folder })
  if (!made.audio) throw unprocessable('file_unreadable')
  return { file, facts: audioFacts(made) }
}

/** Variable bit rate, about 190 kbit/s for two channels. */
function conversion({ channels = 2 }: ProbedStream) {
  return { 'c:a': 'libmp3lame', 'q:a': 2, ac: channels > 1 ? 2 : 1 }
}

/** Its cover as it lies in the file, not decoded; null when it has none, or none that can be had. */
export async function extractCover(
  ffmpeg: Ffmpeg,
  source: Source & { probed: Probe },
): Promise<string | null> {
  const { cover } = source.probed
  if (!cover) return null
  const target = path.join(source.folder, 'cover')
  try {
    await ffmpeg.run({
      program: 'ffmpeg',
      folder: source.folder,
      deadline: 60_000,
      args: [
        ...quietly,
        ...processorTime,
        ...optionsOf({ threads: 1 }),
        ...inputOf(source.path, source.format),
        ...optionsOf({ map: `0:${cover.index}`, c: 'copy', 'frames:v': 1, f: 'image2pipe' }),
        `file:${target}`,
      ],
    })
    return target
  } catch (error) {
    if (isAppError(error, 'invalid')) return null
    throw error
  }
}
