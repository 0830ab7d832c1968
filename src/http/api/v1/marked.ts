import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { Status } from '#entities/status.ts'
import { listMutedConversations } from '#domain/content/statuses/interactions/mute-conversation.ts'
import { listMarked } from '#domain/content/statuses/lists.ts'
import type { AccountId, StatusId } from '#lib/id.ts'
import type { Page, PageRequest } from '#lib/page.ts'
import type { Ctx } from '#ports/ctx.ts'
import { pageOf, paging } from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { viewStatuses } from '#views/content/statuses.ts'

/** A list of statuses that is the viewer's own. */
function listOfStatuses<const Path extends `/api/v1/${string}`>(
  path: Path,
  scope: `read:${'favourites' | 'bookmarks' | 'mutes'}`,
  list: (ctx: Ctx, viewerId: AccountId, page: PageRequest) => Promise<Page<StatusId>>,
) {
  return route({
    method: 'GET',
    path,
    returns: listOf(Status),
    auth: 'user',
    replicated: true,
    scopes: ['read', scope],
    params: z.object(paging(20)),
    async handle({ ctx, viewer, params }) {
      const page = await list(ctx, viewer.accountId, pageOf(params))
      return listed(page, await viewStatuses(ctx, viewer, page.items))
    },
  })
}

const marked =
  (table: 'favourites' | 'bookmarks') =>
  (ctx: Ctx, viewerId: AccountId, page: PageRequest): Promise<Page<StatusId>> =>
    listMarked(ctx, table, viewerId, page)

export const routes = [
  listOfStatuses('/api/v1/favourites', 'read:favourites', marked('favourites')),
  listOfStatuses('/api/v1/bookmarks', 'read:bookmarks', marked('bookmarks')),
  listOfStatuses('/api/v1/muted_conversations', 'read:mutes', listMutedConversations),
]
