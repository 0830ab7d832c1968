// What is done to posts by the buttons below them.
import type { Reaction } from '#entities/emoji.ts'
import type { Poll } from '#entities/poll.ts'
import type { Status } from '#entities/status.ts'
import { del, post, put, remove } from '../api/client.ts'
import { lookAgainAtAccounts } from './account.ts'
import { act } from './act.ts'
import { toggled } from './reactions.ts'
import { invalidate } from './query.ts'
import { changeStatus, countedBy, forgetStatus, keepStatus, lookAgain, markDeleted, statusOf } from './statuses.ts'

type Mark = 'favourited' | 'reblogged' | 'bookmarked' | 'muted' | 'pinned'

const marks: Readonly<Record<Mark, { on: string; off: string; count?: 'favourites_count' | 'reblogs_count' }>> = {
  favourited: { on: 'favourite', off: 'unfavourite', count: 'favourites_count' },
  reblogged: { on: 'reblog', off: 'unreblog', count: 'reblogs_count' },
  bookmarked: { on: 'bookmark', off: 'unbookmark' },
  muted: { on: 'mute', off: 'unmute' },
  pinned: { on: 'pin', off: 'unpin' },
}

/** Sets or takes away one's mark on a post: the button that is pressed. */
export function toggleMark(id: string, mark: Mark): Promise<boolean> {
  const wasOn = statusOf(id)?.peek()[mark] ?? false
  const { on, off, count } = marks[mark]
  return act({
    show: () =>
      changeStatus(id, (status) => ({
        [mark]: !wasOn,
        ...(count && { [count]: Math.max(0, status[count] + (wasOn ? -1 : 1)) }),
      })),
    ask: () => post<Status>(`/api/v1/statuses/${id}/${wasOn ? off : on}`),
    // A boost answers with itself, and the post in it.
    done(answer) {
      keepStatus(answer.reblog && answer.id !== id ? answer.reblog : answer)
      if (mark === 'pinned') invalidate(`/api/v1/accounts/${answer.account.id}/statuses?pinned=true`)
    },
  })
}

export async function vote(statusId: string, poll: Poll, choices: readonly number[]): Promise<boolean> {
  const isDone = await act({
    show: () => changeStatus(statusId, () => ({ poll: { ...poll, voted: true, own_votes: [...choices] } })),
    ask: () => post<Poll>(`/api/v1/polls/${poll.id}/votes`, { body: { choices } }),
    done: (answer) => void changeStatus(statusId, () => ({ poll: answer })),
  })
  // The poll is over, or was voted in by another device, or its post is gone.
  if (!isDone) await lookAgain([statusId])
  return isDone
}

/** Reacts to a post with an emoji, or takes that back. */
export function toggleReaction(id: string, reaction: Reaction): Promise<boolean> {
  const isOn = statusOf(id)?.peek().reactions?.some(({ name, me }) => name === reaction.name && me) === true
  const path = `/api/v1/pleroma/statuses/${id}/reactions/${encodeURIComponent(reaction.name)}`
  return act({
    show: () => changeStatus(id, ({ reactions = [] }) => ({ reactions: toggled(reactions, reaction) })),
    ask: () => (isOn ? del<Status>(path) : put<Status>(path)),
    done: keepStatus,
  })
}

/**
 * Deletes one's own post. It is gone at once, and back when the server refuses. `onDone`: with the source of its text;
 * null where it was deleted elsewhere.
 */
export function deleteStatus(id: string, onDone?: (status: Status | null) => void): Promise<boolean> {
  return act({
    show: () => markDeleted(id),
    ask: () => remove<Status>(`/api/v1/statuses/${id}`),
    done: (status) => {
      forgetStatus(id)
      if (status) void lookAgain(countedBy(status))
      lookAgainAtAccounts()
      onDone?.(status)
    },
  })
}
