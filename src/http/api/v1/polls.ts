import { z } from 'zod'
import { voteInPoll } from '#domain/statuses/polls.ts'
import { badRequest } from '#lib/errors.ts'
import { pathId, texts } from '#http/kit/fields.ts'
import { route } from '#http/kit/route.ts'
import { viewPoll } from '#views/polls.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/polls/:id',
    auth: 'optional',
    scopes: ['read', 'read:statuses'],
    caching: 'anonymous',
    params: z.object({ id: pathId() }),
    handle: ({ ctx, viewer, params }) => viewPoll(ctx, viewer, params.id),
  }),
  route({
    method: 'POST',
    path: '/api/v1/polls/:id/votes',
    auth: 'user',
    scopes: ['write', 'write:statuses'],
    params: z.object({ id: pathId(), choices: texts() }),
    async handle({ ctx, viewer, params: { id, choices } }) {
      if (!choices) throw badRequest('param is missing or the value is empty or invalid: choices')
      await voteInPoll(ctx, viewer, id, choices.map(toIndex))
      return viewPoll(ctx, viewer, id)
    },
  }),
]

/** What is no whole number is the index of no option. */
function toIndex(choice: string): number {
  return /^\d{1,4}$/.test(choice) ? Number(choice) : -1
}
