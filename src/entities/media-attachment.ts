import { z } from 'zod'
import { count, entity, id, number, text, textOrNull, urlOrNull, type Json, type Schema } from './entity.ts'

const size = { width: count.optional(), height: count.optional() }
const picture = z.strictObject({ ...size, size: text, aspect: number })

/** https://docs.joinmastodon.org/entities/MediaAttachment/#meta */
const mediaMeta = entity('MediaMeta', {
  /** Films and sounds say this once more at the top, for older clients. */
  length: text.optional(),
  duration: number.optional(),
  fps: number.optional(),
  ...size,
  size: text.optional(),
  aspect: number.optional(),
  /** Where people look at when a picture is cropped: -1 to 1, from the left and from below. */
  focus: z.strictObject({ x: number, y: number }).optional(),
  original: z
    .strictObject({
      ...size,
      size: text.optional(),
      aspect: number.optional(),
      frame_rate: text.optional(),
      duration: number.optional(),
      bitrate: count.optional(),
    })
    .optional(),
  small: picture.optional(),
  colors: z.strictObject({ background: text, foreground: text, accent: text }).optional(),
  audio_encode: text.optional(),
  audio_bitrate: text.optional(),
  audio_channels: text.optional(),
})
export interface MediaMeta extends Json<typeof mediaMeta> {}
export const MediaMeta: Schema<MediaMeta> = mediaMeta

/** https://docs.joinmastodon.org/entities/MediaAttachment/ */
const mediaAttachment = entity('MediaAttachment', {
  id,
  type: z.enum(['image', 'gifv', 'video', 'audio', 'unknown']),
  /** Null while it is being made. */
  url: urlOrNull,
  preview_url: urlOrNull,
  remote_url: urlOrNull,
  preview_remote_url: urlOrNull,
  text_url: z.null(),
  meta: MediaMeta,
  description: textOrNull,
  blurhash: textOrNull,
})
export interface MediaAttachment extends Json<typeof mediaAttachment> {}
export const MediaAttachment: Schema<MediaAttachment> = mediaAttachment
