// What a status of another server names and this one does not have is asked for after it was stored.
import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { notifyOfStatus } from '#domain/reading/notifications/notify.ts'
import { refreshPoll } from '#federation/ingest/notes/refresh-poll.ts'
import { completeMentions, completeQuote, completeThread } from '#federation/ingest/back-fill/thread.ts'

/** Fetches what it answers, and the replies it brought along. */
export const fetchThread = {
  name: 'fetch-thread',
  background: true,
  run: (ctx: Ctx, event: EventOf<'thread.requested'>) => completeThread(ctx, event),
}

/** Looks up whom it names. */
export const fetchMentions = {
  name: 'fetch-mentions',
  background: true,
  run: (ctx: Ctx, event: EventOf<'mentions.requested'>) => completeMentions(ctx, event),
}

/** Fetches what it quotes, and whether that may be shown. */
export const fetchQuote = {
  name: 'fetch-quote',
  background: true,
  run: (ctx: Ctx, event: EventOf<'quoted-status.requested'>) => completeQuote(ctx, event),
}

/** Tells whom it quotes, once they have consented. */
export const notifyQuoted = {
  name: 'notify-quoted',
  run: (ctx: Ctx, event: EventOf<'quote.accepted'>) => notifyOfStatus(ctx, event.statusId),
}

/** Reads the result of a poll of another server when it has ended. */
export const refreshEndedPoll = {
  name: 'refresh-ended-poll',
  background: true,
  run: (ctx: Ctx, event: EventOf<'poll.ended'>) => refreshPoll(ctx, event.pollId),
}
