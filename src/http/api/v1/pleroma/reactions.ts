// Emoji reactions under the addresses of Pleroma's API, which apps know.
import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { Status, StatusReactors } from '#entities/status.ts'
import { getVisibleOriginal } from '#domain/content/statuses/queries.ts'
import {
  assertReactionsOn,
  reactToStatus,
  unreactToStatus,
} from '#domain/content/statuses/interactions/reactions.ts'
import { parseReaction } from '#lib/text/reaction.ts'
import { pathId } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { viewReactors } from '#views/content/reactions.ts'
import { viewStatus, viewStatusAfterLoss } from '#views/content/statuses.ts'
import type { StatusId } from '#lib/id.ts'

const one = z.object({ id: pathId<StatusId>() })
const withEmoji = one.extend({ emoji: z.string() })
const read = ['read', 'read:statuses']
const write = ['write', 'write:favourites']

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/pleroma/statuses/:id/reactions',
    returns: listOf(StatusReactors),
    auth: 'optional',
    scopes: read,
    params: one,
    async handle({ ctx, viewer, params }) {
      await assertReactionsOn(ctx)
      const viewerId = viewer?.accountId ?? null
      const status = await getVisibleOriginal(ctx, viewerId, params.id)
      return viewReactors(ctx, viewerId, status.id)
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/pleroma/statuses/:id/reactions/:emoji',
    returns: listOf(StatusReactors),
    auth: 'optional',
    scopes: read,
    params: withEmoji,
    async handle({ ctx, viewer, params }) {
      await assertReactionsOn(ctx)
      const viewerId = viewer?.accountId ?? null
      const status = await getVisibleOriginal(ctx, viewerId, params.id)
      return viewReactors(ctx, viewerId, status.id, parseReaction(params.emoji).name)
    },
  }),
  route({
    method: 'PUT',
    path: '/api/v1/pleroma/statuses/:id/reactions/:emoji',
    returns: Status,
    auth: 'user',
    scopes: write,
    params: withEmoji,
    async handle({ ctx, viewer, params: { id, emoji } }) {
      return viewStatus(ctx, viewer, await reactToStatus(ctx, viewer, id, emoji))
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/pleroma/statuses/:id/reactions/:emoji',
    returns: Status,
    auth: 'user',
    scopes: write,
    params: withEmoji,
    async handle({ ctx, viewer, params: { id, emoji } }) {
      return viewStatusAfterLoss(ctx, viewer, await unreactToStatus(ctx, viewer, id, emoji))
    },
  }),
]
