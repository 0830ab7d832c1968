import { addRemotePin } from '#domain/content/statuses/remote/remote-pins.ts'
import { addRemoteFeaturedTag } from '#domain/content/tags/remote-featured-tags.ts'
import { readFeatured } from './featured.ts'
import type { Handler } from '../kit/handler.ts'
import { findOrFetch } from '../kit/refetch-status.ts'

/** The actor puts a status or a hashtag on top of its profile. */
export const onAdd: Handler = async (ctx, incoming) => {
  const { actor } = incoming
  const featured = await readFeatured(ctx, incoming)
  if (featured?.kind === 'tag') {
    await addRemoteFeaturedTag(ctx, actor.id, featured)
    return 'done'
  }
  const statusId = featured && (await findOrFetch(ctx, featured.uri))
  if (statusId === 'later') return 'later'
  if (statusId === null) return 'ignored'
  await addRemotePin(ctx, actor.id, statusId)
  return 'done'
}
