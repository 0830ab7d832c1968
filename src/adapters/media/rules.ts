// What may be uploaded, in the words of Mastodon's answers.
import type { Limits } from '#config/limits.ts'
import type { ImageHeader } from './images/image-tasks.ts'
import { parseRate, type Probe } from './ffmpeg/probe.ts'
import type { Container } from './kit/sniff.ts'
import { wrongType } from './kit/wrong-type.ts'
import { invalid, unprocessable } from '#lib/errors.ts'

export type MediaLimits = Pick<
  Limits,
  'imageBytes' | 'imagePixels' | 'videoBytes' | 'videoPixels' | 'videoFramesPerSecond' | 'videoFrames'
>

const namesUnder = (kind: string, names: string) => names.split(' ').map((name) => `${kind}/${name}`)
const imageTypes = namesUnder('image', 'jpeg png gif webp avif')
const videoTypes = namesUnder('video', 'webm mp4 quicktime ogg')
const audioNames = 'wave wav x-wav x-pn-wave vnd.wave ogg vorbis mpeg mp3 webm flac aac m4a x-m4a mp4 3gpp'
const audioTypes = namesUnder('audio', audioNames)

/**
 * As Mastodon lists them, without HEIC, which the image library cannot decode: HEVC is patented. Windows Media counts
 * as a sound, whatever its name says.
 */
export function supportedTypes({ hasFfmpeg }: { hasFfmpeg: boolean }): readonly string[] {
  return hasFfmpeg ? [...imageTypes, ...videoTypes, ...audioTypes, 'video/x-ms-asf'] : imageTypes
}

/** Throws `invalid` for more bytes than allowed. */
export function assertBytes(bytes: number, limit: number): void {
  if (bytes > limit) {
    throw invalid('file', 'too_many_megabytes', { megabytes: Math.max(1, Math.floor(limit / 2 ** 20)) })
  }
}

/** Throws `invalid` for a picture with too many pixels. */
export function assertImage({ width, height, isReadable }: ImageHeader, { imagePixels }: MediaLimits): void {
  if (!isReadable) throw wrongType('HEVC')
  if (width * height > imagePixels) throw unprocessable('image_size', { width, height })
}

/** Throws `invalid` for an animation that is too much for a film. */
export function assertAnimation({ width, height, frames }: ImageHeader, limits: MediaLimits): void {
  if (frames > limits.videoFrames) throw unprocessable('animation_frames', { frames })
  if (width * height > limits.videoPixels) throw unprocessable('animation_size', { width, height })
}

/** Sounds alone: films in it are not taken. */
const isAudioContainer = (container: Container) => !['mov', 'webm', 'ogg'].includes(container)

/** What it is; throws `invalid` when it is neither a film nor a sound that is taken. */
export function kindOf(probed: Probe, container: Container): 'gifv' | 'video' | 'audio' {
  if (probed.video && !isAudioContainer(container)) return probed.audio ? 'video' : 'gifv'
  if (probed.audio && !probed.video) return 'audio'
  throw wrongType('no stream of a known kind')
}

/** Throws `invalid` for a film with too many pixels or frames. */
export function assertVideo({ video, duration }: Probe, limits: MediaLimits): void {
  const { width = 0, height = 0, nb_read_packets: frames = 0 } = video ?? {}
  if (width < 1 || height < 1 || frames < 1) throw unprocessable('video_without_pictures')
  if (width * height > limits.videoPixels) throw unprocessable('video_size', { width, height })
  if (frames > limits.videoFrames) throw unprocessable('video_frames', { frames })
  // What a header claims is often the resolution of its clock; what was counted is sure.
  const counted = duration && frames > 1 ? frames / duration : null
  const rate = Math.min(counted ?? Infinity, parseRate(video?.avg_frame_rate) ?? Infinity)
  if (rate !== Infinity && duration && rate > limits.videoFramesPerSecond + 1) {
    throw unprocessable('frame_rate', { rate: Math.floor(rate) })
  }
}
