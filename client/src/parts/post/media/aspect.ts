import type { MediaAttachment } from '#entities/media-attachment.ts'

/** Width by height of a picture or film, within what is pleasant to scroll past. */
export function aspectOf({ meta }: MediaAttachment): number {
  const aspect = meta.original?.aspect ?? meta.small?.aspect ?? 16 / 9
  return Math.min(2.4, Math.max(0.75, aspect))
}
