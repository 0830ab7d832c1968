import type { CustomEmoji } from '#entities/emoji.ts'
import type { Poll } from '#entities/poll.ts'
import type { PollLine, PollRow } from '#domain/content/polls/load.ts'
import { formatTime } from '#lib/time/time.ts'
import type { AccountId } from '#lib/id.ts'

/** What of a Poll is the same for everyone and changes only with the version of its status. */
export interface PollStatic {
  row: PollRow
  emojis: readonly CustomEmoji[]
}

/** Poll (https://docs.joinmastodon.org/entities/Poll/) for one viewer at `now`, in milliseconds. */
export function renderPoll(
  fixed: PollStatic,
  line: PollLine,
  { viewerId, now }: { viewerId: AccountId | null; now: number },
): Poll {
  const { row } = fixed
  const expired = row.expires_at !== null && row.expires_at.getTime() <= now
  const hidden = row.hide_totals && !expired
  return {
    id: row.id,
    expires_at: row.expires_at === null ? null : formatTime(row.expires_at),
    expired,
    multiple: row.multiple,
    votes_count: line.votes_count,
    voters_count: line.voters_count,
    options: row.options.map((title, index) => ({
      title,
      votes_count: hidden ? null : (line.tallies[index] ?? 0),
    })),
    emojis: fixed.emojis,
    ...(viewerId !== null && {
      voted: line.account_id === viewerId || line.own_votes.length > 0,
      own_votes: line.own_votes,
    }),
  }
}
