// One's conversations, the newest first, and what is done with them.
import { computed, type ReadonlySignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { Conversation } from '#entities/conversation.ts'
import type { Status } from '#entities/status.ts'
import { post, remove } from '../api/client.ts'
import { act } from './act.ts'
import { createGone } from './gone.ts'
import { createPages, type Pages } from './pages.ts'
import { keepStatuses } from './statuses.ts'

export interface Conversations {
  readonly pages: Pages<Conversation>
  /** Those that are not removed. */
  readonly shown: ReadonlySignal<readonly Conversation[]>
  /** Takes what a stream brought. Returns whether something was said: it may have been marked, here or on another device. */
  receive(conversation: Conversation): boolean
  markRead(conversation: Conversation): void
  markUnread(conversation: Conversation): void
  /** Whether its posts come as notifications. */
  toggleMuted(conversation: Conversation): void
  /** For oneself alone; it is there again when somebody goes on with it. */
  remove(conversation: Conversation): void
}

const path = '/api/v1/conversations'

const lastOf = ({ last_status: last }: Conversation): bigint => BigInt(last?.id ?? 0)

/** As the server has them: by what was said last, the newest first. */
const byLast = (one: Conversation, other: Conversation): number => Number(lastOf(other) - lastOf(one))

/** Those of the viewer, for as long as the component is shown. */
export const useConversations = (): Conversations => useMemo(createConversations, [])

function createConversations(): Conversations {
  const pages = createPages<Conversation>(`${path}?limit=20`, (page) => {
    keepStatuses(page.flatMap(({ last_status: last }) => last ?? []))
  })
  const { items } = pages
  const gone = createGone()
  /** What a stream brought last of each. */
  const brought = new Map<string, Conversation>()

  /** Changes one, wherever it stands by then. Returns how to take it back: what a stream brought since stays. */
  function change(id: string, part: Partial<Conversation>): () => void {
    const before = items.peek().find((one) => one.id === id)
    const last = brought.get(id)
    const put = (values: Partial<Conversation>) => {
      items.value = items.peek().map((one) => (one.id === id ? { ...one, ...values } : one))
    }
    put(part)
    return () => {
      if (!before || brought.get(id) !== last) return
      put(Object.fromEntries(Object.keys(part).map((key) => [key, before[key as keyof Conversation]])))
    }
  }

  function mark({ id }: Conversation, unread: boolean): void {
    void act({
      show: () => change(id, { unread }),
      ask: () => post<Conversation>(`${path}/${id}/${unread ? 'unread' : 'read'}`),
    })
  }

  return {
    pages,
    shown: computed(() => items.value.filter(({ id }) => !gone.has(id))),
    receive(conversation) {
      const { id, last_status: last } = conversation
      if (last) keepStatuses([last])
      const before = items.peek().find((one) => one.id === id)
      brought.set(id, conversation)
      items.value = [conversation, ...items.peek().filter((one) => one.id !== id)].toSorted(byLast)
      gone.bringBack(id)
      return !before || lastOf(conversation) > lastOf(before)
    },
    markRead: (conversation) => conversation.unread && mark(conversation, false),
    markUnread: (conversation) => mark(conversation, true),
    toggleMuted({ id, last_status: last }) {
      if (!last) return
      const muted = last.muted !== true
      void act({
        show: () => change(id, { last_status: { ...last, muted } }),
        ask: () => post<Status>(`/api/v1/statuses/${last.id}/${muted ? 'mute' : 'unmute'}`),
      })
    },
    remove: ({ id }) => void act({ show: () => gone.add(id), ask: () => remove(`${path}/${id}`) }),
  }
}
