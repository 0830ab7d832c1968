import type { MediaAttachment } from '#entities/media-attachment.ts'
import type { Config } from '#ports/ctx.ts'
import type { MediaRow } from '#domain/content/media/load.ts'
import { renderMedia } from '../render/media.ts'

/** An attachment for its owner. */
export const viewMedia = ({ config }: { config: Config }, media: MediaRow): MediaAttachment =>
  renderMedia(config, media)
