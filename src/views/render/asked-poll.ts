import type { ScheduledStatus } from '#entities/personal/scheduled-status.ts'
import type { PollInput } from '#domain/content/polls/new-poll.ts'

/** A poll that is not there yet, as it is asked for; null: none is. */
export function renderAskedPoll(poll: PollInput | undefined): ScheduledStatus['params']['poll'] {
  if (!poll) return null
  return {
    options: poll.options,
    expires_in: poll.expiresIn,
    multiple: poll.multiple ?? false,
    hide_totals: poll.hideTotals ?? false,
  }
}
