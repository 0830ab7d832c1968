import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'

/** After this the results of a poll elsewhere are asked for, unless they have come, and how often at most: milliseconds. */
const countedAfter = 10_000
const recountEvery = 60_000

/** What everybody else voted is known from its server alone: some seconds after a vote of somebody here it has that too. */
export const askForCount = {
  name: 'ask-for-count',
  async run(ctx: Ctx, { pollId }: EventOf<'poll.voted'>) {
    const since = ctx.clock.now()
    const key = `refresh-poll:${pollId}:${Math.floor(since / recountEvery)}`
    const options = { key, runAt: new Date(since + countedAfter), maxAttempts: 1, background: true }
    await ctx.jobs.add('refresh-poll', { pollId, since }, options)
  },
} as const
