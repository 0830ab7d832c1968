import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { Status } from '#entities/status.ts'
import { listMutedConversations } from '#domain/content/statuses/interactions/mute-conversation.ts'
import { listMarked } from '#domain/content/statuses/lists.ts'
import { pageOf, paging } from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { viewStatuses } from '#views/content/statuses.ts'

/** The viewer's own list of marked statuses. */
function marked<const Path extends '/api/v1/favourites' | '/api/v1/bookmarks'>(
  path: Path,
  table: 'favourites' | 'bookmarks',
) {
  return route({
    method: 'GET',
    path,
    returns: listOf(Status),
    auth: 'user',
    scopes: ['read', `read:${table}`],
    params: z.object(paging(20)),
    async handle({ ctx, viewer, params }) {
      const page = await listMarked(ctx, table, viewer.accountId, pageOf(params))
      return listed(page, await viewStatuses(ctx, viewer, page.items))
    },
  })
}

export const routes = [
  marked('/api/v1/favourites', 'favourites'),
  marked('/api/v1/bookmarks', 'bookmarks'),
  route({
    method: 'GET',
    path: '/api/v1/muted_conversations',
    returns: listOf(Status),
    auth: 'user',
    scopes: ['read', 'read:mutes'],
    params: z.object(paging(20)),
    async handle({ ctx, viewer, params }) {
      const page = await listMutedConversations(ctx, viewer.accountId, pageOf(params))
      return listed(page, await viewStatuses(ctx, viewer, page.items))
    },
  }),
]
