// What is known of a picture, a film or a sound, without its bytes.

/** `gifv` is a film without sound that repeats, made from an animated picture or a silent film. */
export type MediaKind = 'image' | 'gifv' | 'video' | 'audio'

/** As far as the kind has it: a picture has no duration, a sound no size. */
export interface MediaFacts {
  width?: number
  height?: number
  /** Seconds. */
  duration?: number
  /** Frames a second as a fraction, such as `30/1`. */
  frameRate?: string
  /** Bits a second. */
  bitrate?: number
  /** Codec, sample rate and channels in ffmpeg's words. */
  audioEncode?: string
  audioBitrate?: string
  audioChannels?: string
}

/** What goes with a picture, as `#rrggbb`. */
export interface MediaColors {
  background: string
  foreground: string
  accent: string
}
