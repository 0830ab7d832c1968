import { z } from 'zod'
import { assertPollVisible, voteInPoll } from '#domain/content/statuses/interactions/polls.ts'
import { Poll } from '#entities/poll.ts'
import { badRequest } from '#lib/errors.ts'
import { withTimeout } from '#lib/concurrency/with-timeout.ts'
import { pathId, texts } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { viewPoll } from '#views/content/polls.ts'
import type { PollId } from '#lib/id.ts'

/** How long another server may take to say the result of its poll, in milliseconds. */
const patience = 3_000

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/polls/:id',
    returns: Poll,
    auth: 'optional',
    scopes: ['read', 'read:statuses'],
    caching: 'anonymous',
    params: z.object({ id: pathId<PollId>() }),
    async handle({ ctx, viewer, params: { id } }) {
      await assertPollVisible(ctx, viewer?.accountId ?? null, id)
      // What it says later is shown later.
      if (viewer) await withTimeout(patience, ctx.remote.refreshPoll(id))
      return viewPoll(ctx, viewer, id)
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/polls/:id/votes',
    returns: Poll,
    auth: 'user',
    scopes: ['write', 'write:statuses'],
    params: z.object({ id: pathId<PollId>(), choices: texts() }),
    async handle({ ctx, viewer, params: { id, choices } }) {
      if (!choices) throw badRequest('param_missing', { name: 'choices' })
      await voteInPoll(ctx, viewer, id, choices.map(toIndex))
      return viewPoll(ctx, viewer, id)
    },
  }),
]

/** What is no whole number is the index of no option. */
function toIndex(choice: string): number {
  return /^\d{1,4}$/.test(choice) ? Number(choice) : -1
}
