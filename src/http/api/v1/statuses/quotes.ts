import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { Status } from '#entities/status.ts'
import { setInteractionPolicy } from '#domain/content/statuses/edits/set-interaction-policy.ts'
import { getVisibleOriginal } from '#domain/content/statuses/queries.ts'
import { listQuotes } from '#domain/content/statuses/quotes/list-quotes.ts'
import { revokeQuote } from '#domain/content/statuses/quotes/revoke-quote.ts'
import { pageOf, paging, pathId, word } from '#http/kit/params/fields.ts'
import { replyPolicy, toReplyPolicy } from '#http/kit/params/reply-policy.ts'
import { listed, route } from '#http/kit/route.ts'
import { viewStatus, viewStatusAfterLoss, viewStatuses } from '#views/content/statuses.ts'
import type { StatusId } from '#lib/id.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/statuses/:id/quotes',
    returns: listOf(Status),
    auth: 'token',
    replicated: true,
    scopes: ['read', 'read:statuses'],
    params: z.object({ id: pathId<StatusId>(), ...paging(20) }),
    async handle({ ctx, viewer, params }) {
      const viewerId = viewer?.accountId ?? null
      const quoted = await getVisibleOriginal(ctx, viewerId, params.id)
      const page = await listQuotes(ctx, { quotedId: quoted.id, viewerId }, pageOf(params))
      return listed(page, await viewStatuses(ctx, viewer, page.items), 'since_id')
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/statuses/:id/quotes/:quoting_status_id/revoke',
    returns: Status,
    auth: 'user',
    scopes: ['write', 'write:statuses'],
    params: z.object({ id: pathId<StatusId>(), quoting_status_id: pathId<StatusId>() }),
    async handle({ ctx, viewer, params }) {
      const pair = { quotedId: params.id, quotingId: params.quoting_status_id }
      return viewStatusAfterLoss(ctx, viewer, await revokeQuote(ctx, viewer, pair))
    },
  }),
  route({
    method: 'PUT',
    path: '/api/v1/statuses/:id/interaction_policy',
    returns: Status,
    auth: 'user',
    scopes: ['write', 'write:statuses'],
    params: z.object({
      id: pathId<StatusId>(),
      quote_approval_policy: word(['public', 'followers', 'nobody']),
      reply_approval_policy: replyPolicy(),
    }),
    async handle({ ctx, viewer, params }) {
      const input = {
        quotes: params.quote_approval_policy,
        replies: toReplyPolicy(params.reply_approval_policy),
      }
      return viewStatus(ctx, viewer, await setInteractionPolicy(ctx, viewer, params.id, input))
    },
  }),
]
