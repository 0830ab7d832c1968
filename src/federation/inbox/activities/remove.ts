import { removeRemotePin } from '#domain/content/statuses/remote/remote-pins.ts'
import { removeRemoteFeaturedTag } from '#domain/content/tags/remote-featured-tags.ts'
import { readFeatured } from './featured.ts'
import type { Handler } from '../kit/handler.ts'
import { findKnownStatus } from '../kit/local.ts'

/** The actor takes a status or a hashtag off its profile. */
export const onRemove: Handler = async (ctx, incoming) => {
  const { actor } = incoming
  const featured = await readFeatured(ctx, incoming)
  if (featured?.kind === 'tag') {
    await removeRemoteFeaturedTag(ctx, actor.id, featured.name)
    return 'done'
  }
  const status = featured && (await findKnownStatus(ctx, featured.uri))
  if (!status) return 'ignored'
  await removeRemotePin(ctx, actor.id, status.id)
  return 'done'
}
