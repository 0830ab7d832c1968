// What is told of films and sounds, from what ffprobe says of the finished file.
import type { MediaFacts } from '#lib/media.ts'
import { parseRate, type Probe, type ProbedStream } from './ffmpeg/probe.ts'

export function videoFacts({ video, audio, duration, bitrate }: Probe): MediaFacts {
  const facts: MediaFacts = { ...shownSize(video!), ...(audio && streamFacts(audio)) }
  if (duration !== null) facts.duration = duration
  if (bitrate !== null) facts.bitrate = bitrate
  const rate = [video!.avg_frame_rate, video!.r_frame_rate].find((text) => parseRate(text) !== null)
  if (rate) facts.frameRate = rate
  return facts
}

export function audioFacts({ audio, duration, bitrate }: Probe): MediaFacts {
  const facts = streamFacts(audio!)
  if (duration !== null) facts.duration = duration
  if (bitrate !== null) facts.bitrate = bitrate
  return facts
}

/** Telephones store films lying on their side, and say so. */
function shownSize({ width = 0, height = 0, side_data_list: sideData = [] }: ProbedStream) {
  const rotation = sideData.find((data) => data.rotation !== undefined)?.rotation ?? 0
  return Math.abs(rotation) % 180 === 90 ? { width: height, height: width } : { width, height }
}

/** As Mastodon words them: `aac (LC) (mp4a / 0x6134706D)`, `44100 Hz`, `stereo`. */
function streamFacts(audio: ProbedStream): MediaFacts {
  const { codec_name: name = '', profile, codec_tag_string: tag, codec_tag: number } = audio
  const hasTag = tag !== undefined && !tag.startsWith('[')
  const tagged = hasTag ? ` (${tag} / 0x${(number ?? '').slice(2).toUpperCase()})` : ''
  const facts: MediaFacts = { audioEncode: `${name}${profile ? ` (${profile})` : ''}${tagged}` }
  if (audio.sample_rate) facts.audioBitrate = `${audio.sample_rate} Hz`
  const layout = audio.channel_layout ?? { 1: 'mono', 2: 'stereo' }[audio.channels ?? 0]
  if (layout) facts.audioChannels = layout
  return facts
}
