import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { Conversation } from '#entities/conversation.ts'
import { Empty } from '#entities/empty.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import {
  deleteConversation,
  readConversation,
  unreadConversation,
} from '#domain/reading/conversations/mark.ts'
import { listConversations } from '#domain/reading/conversations/queries.ts'
import { pageOf, paging, pathId } from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { viewConversation, viewConversations } from '#views/reading/conversations.ts'
import type { AccountConversationId } from '#lib/id.ts'

const params = z.object({ id: pathId<AccountConversationId>() })
const write = ['write', 'write:conversations']

function marking<const Path extends `/api/v1/conversations/:id/${string}`>(
  path: Path,
  command: (ctx: Ctx, viewer: Viewer, id: AccountConversationId) => Promise<void>,
) {
  return route({
    method: 'POST',
    path,
    returns: Conversation,
    auth: 'user',
    scopes: write,
    params,
    async handle({ ctx, viewer, params: { id } }) {
      await command(ctx, viewer, id)
      return viewConversation(ctx, viewer, id)
    },
  })
}

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/conversations',
    returns: listOf(Conversation),
    auth: 'user',
    replicated: true,
    scopes: ['read', 'read:statuses'],
    params: z.object(paging(20)),
    async handle({ ctx, viewer, params: asked }) {
      const page = await listConversations(ctx, viewer.accountId, pageOf(asked))
      return listed(page, await viewConversations(ctx, viewer, page.items))
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/conversations/:id',
    returns: Empty,
    auth: 'user',
    scopes: write,
    params,
    async handle({ ctx, viewer, params: { id } }) {
      await deleteConversation(ctx, viewer, id)
      return {}
    },
  }),
  marking('/api/v1/conversations/:id/read', readConversation),
  marking('/api/v1/conversations/:id/unread', unreadConversation),
]
