// How ffmpeg may read a file of unknown origin: this one file, as the container its bytes say, with decoders of
// common formats alone. Playlists, concatenations, references to other files and hosts have no way in.
import { optionsOf } from './ffmpeg-options.ts'
import type { Container } from '../kit/sniff.ts'

/** Containers of uploads, and `gif`, which the picture side hands over. */
export type InputFormat = Container | 'gif'

const demuxers: Record<InputFormat, string> = {
  mov: 'mov',
  webm: 'matroska',
  ogg: 'ogg',
  wav: 'wav',
  flac: 'flac',
  mp3: 'mp3',
  aac: 'aac',
  asf: 'asf',
  gif: 'gif',
}

const decoders = [
  'h264 hevc vp8 libvpx vp9 libvpx-vp9 av1 libdav1d libaom-av1 mpeg4 h263 theora prores mjpeg png gif',
  'aac mp3 mp3float opus libopus vorbis libvorbis flac alac ac3 amrnb amrwb wmav1 wmav2 speex libspeex',
  'adpcm_ms adpcm_ima_wav adpcm_ima_qt pcm_u8 pcm_mulaw pcm_alaw pcm_s16le pcm_s16be pcm_s24le pcm_s24be',
  'pcm_s32le pcm_s32be pcm_f32le pcm_f32be pcm_f64le',
  // Never shown, but ffprobe reads no file of which it may not open every stream.
  'mov_text text srt subrip ssa ass webvtt dvdsub dvbsub pgssub',
]

/** Bytes that one allocation of ffmpeg may have. */
const maxAllocation = 256 * 2 ** 20

/** Arguments that both programs take before anything else. */
export const quietly = optionsOf({ hide_banner: true, v: 'error', max_alloc: maxAllocation })

/** The arguments for reading `path` (absolute), for both programs. */
export function inputOf(path: string, format: InputFormat): string[] {
  const demuxer = demuxers[format]
  return optionsOf({
    protocol_whitelist: 'file',
    format_whitelist: demuxer,
    codec_whitelist: decoders.join(' ').replaceAll(' ', ','),
    max_streams: 64,
    ...(format === 'mov' && { enable_drefs: 0, use_absolute_path: 0 }),
    f: demuxer,
    i: `file:${path}`,
  })
}
