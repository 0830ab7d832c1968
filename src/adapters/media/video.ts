// Films and animations become MP4 with H.264 and AAC, which every browser plays.
import path from 'node:path'
import { describeMachine } from '#adapters/machine.ts'
import { unprocessable } from '#lib/errors.ts'
import type { MediaFacts } from '#lib/media.ts'
import type { MediaFile } from '#ports/media-processor.ts'
import type { Ffmpeg } from './ffmpeg/ffmpeg.ts'
import { videoFacts } from './facts.ts'
import { optionsOf } from './ffmpeg/ffmpeg-options.ts'
import { inputOf, quietly } from './ffmpeg/ffmpeg-input.ts'
import { encodingFor, processorTime, withoutMetadata, type Source } from './ffmpeg/ffmpeg-output.ts'
import { mediaFile } from './media-file.ts'
import { probe, type Probe } from './ffmpeg/probe.ts'
import { assertVideo, type MediaLimits } from './rules.ts'

const deadline = 10 * 60_000
/** Pixels of films that are converted: more would take minutes a minute. */
const convertedPixels = 1920 * 1080

/** The film as it will be shown. Throws AppError `invalid` when it cannot be converted within the limits. */
export async function makeVideo(
  ffmpeg: Ffmpeg,
  source: Source & { probed: Probe },
  limits: MediaLimits,
): Promise<{ file: MediaFile; facts: MediaFacts }> {
  const { probed } = source
  assertVideo(probed, limits)
  const target = path.join(source.folder, 'film.mp4')
  const max = limits.videoBytes * 4
  const { threads } = encodingFor(describeMachine())
  await ffmpeg.run({
    program: 'ffmpeg',
    folder: source.folder,
    deadline,
    args: [
      ...quietly,
      ...processorTime,
      ...optionsOf({ filter_threads: 1, threads }),
      ...inputOf(source.path, source.format),
      ...optionsOf({ map: `0:${probed.video!.index}` }),
      ...(probed.audio ? optionsOf({ map: `0:${probed.audio.index}` }) : []),
      ...optionsOf(codecs(probed, limits)),
      ...withoutMetadata,
      ...optionsOf({ movflags: '+faststart', write_tmcd: 0, fs: max, f: 'mp4' }),
      `file:${target}`,
    ],
  })
  const file = await mediaFile(target, 'video/mp4')
  if (file.bytes >= max * 0.99) throw unprocessable('file_would_become_too_large')
  const made = await probe(ffmpeg, { path: target, format: 'mov', folder: source.folder })
  assertVideo(made, limits)
  return { file, facts: videoFacts(made) }
}

/** What browsers play already is kept as it is; nothing is lost by that. */
function codecs({ video, audio, bitrate }: Probe, limits: MediaLimits) {
  const isPlayable = video?.codec_name === 'h264' && ['yuv420p', 'yuvj420p'].includes(video.pix_fmt ?? '')
  const isAudible = audio?.codec_name === 'aac' && audio.profile === 'LC'
  return {
    ...(isPlayable ? sameVideo : videoConversion(bitrate, limits)),
    ...(isAudible ? { 'c:a': 'copy' } : audio && { 'c:a': 'aac', 'b:a': '128k', ac: 2 }),
  }
}

/** Remarks within the pictures (SEI, ITU-T H.264 annex D), which may hold anything, are left out. */
const sameVideo = { 'c:v': 'copy', 'bsf:v': 'filter_units=remove_types=6' }

function videoConversion(bitrate: number | null, limits: MediaLimits) {
  const max = Math.min(Math.max(2 * (bitrate ?? 2_000_000), 1_000_000), 8_000_000)
  return {
    'c:v': 'libx264',
    preset: 'veryfast',
    crf: 23,
    ...encodingFor(describeMachine()),
    maxrate: max,
    bufsize: 2 * max,
    vf: `${scaleTo(convertedPixels)},format=yuv420p`,
    fpsmax: limits.videoFramesPerSecond,
    'frames:v': limits.videoFrames + 1,
  }
}

/** An expression that makes pixels square, their number even in both directions, and fits them into a number. */
function scaleTo(pixels: number): string {
  const scale = `min(1\\,sqrt(${pixels}/(iw*sar*ih)))`
  const even = (length: string) => `2*max(1\\,trunc(${length}*${scale}/2))`
  return `scale=w=${even('iw*sar')}:h=${even('ih')},setsar=1`
}

/** The first picture of a film as a PNG. Throws AppError `invalid` when there is none. */
export async function firstFrame(ffmpeg: Ffmpeg, video: Source): Promise<string> {
  const target = path.join(video.folder, 'frame.png')
  await ffmpeg.run({
    program: 'ffmpeg',
    folder: video.folder,
    deadline: 60_000,
    args: [
      ...quietly,
      ...processorTime,
      ...optionsOf({ filter_threads: 1, threads: 1 }),
      ...inputOf(video.path, video.format),
      ...optionsOf({ map: '0:v:0', 'frames:v': 1, vf: `${scaleTo(1280 * 720)},format=rgb24` }),
      ...optionsOf({ 'c:v': 'png', threads: 1, f: 'image2pipe' }),
      `file:${target}`,
    ],
  })
  return target
}
