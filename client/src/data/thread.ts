// A post with what is above and below it, which grows while somebody reads.
import { signal, type Signal } from '@preact/signals'
import type { Context, Status } from '#entities/status.ts'
import { get, type Refresh } from '../api/client.ts'
import { ApiError, wordsOf } from '../api/errors.ts'
import { isStreaming, listen } from '../api/streaming.ts'
import { isInDocument } from '../core/start.ts'
import { followRefresh } from './refreshing.ts'
import { keepStatus, keepStatuses, lookAgain, statusOf } from './statuses.ts'

export interface ThreadPosts {
  /** What it answers, the first post first. */
  readonly ancestors: readonly string[]
  readonly descendants: readonly Status[]
}

export interface FollowedThread {
  readonly main: Signal<Status | null>
  /** Null until they are known. */
  readonly posts: Signal<ThreadPosts | null>
  readonly error: Signal<string | null>
  /** There is none, or none for the viewer. */
  readonly isMissing: Signal<boolean>
  /** Asks for it, and brings new answers from now on. Returns how to stop. */
  start(onNew: (count: number) => void): () => void
  retry(): void
}

export function createThread(id: string): FollowedThread {
  // What a list shows of it is there at once, and without a network.
  const main = signal<Status | null>(statusOf(id)?.peek() ?? null)
  const posts = signal<ThreadPosts | null>(null)
  const error = signal<string | null>(null)
  const isMissing = signal(false)
  const path = `/api/v1/statuses/${id}`
  let isShown = true
  let tell: (count: number) => void = () => {}
  let stopRefresh = () => {}

  async function loadAll(): Promise<void> {
    error.value = null
    const isOld = isInDocument(`${path}/context`) && isStreaming()
    try {
      const [post, refresh] = await Promise.all([get<Status>(path), loadContext()])
      keepStatus(post.body)
      main.value = post.body
      if (isOld) await loadContext()
      if (!refresh || !isShown) return
      stopRefresh()
      stopRefresh = followRefresh(refresh, { onMore: async () => void (await loadContext()) })
    } catch (cause) {
      error.value = wordsOf(cause)
      isMissing.value = cause instanceof ApiError && cause.trouble === 'not-found'
    }
  }

  async function loadContext(): Promise<Refresh | null> {
    const { body, refresh } = await get<Context>(`${path}/context`)
    const ancestors = keepStatuses(body.ancestors)
    keepStatuses(body.descendants)
    const before = posts.peek()
    posts.value = { ancestors, descendants: body.descendants }
    if (before) countNew(before, body.descendants)
    return refresh
  }

  function countNew(before: ThreadPosts, now: readonly Status[]): void {
    const known = new Set(before.descendants.map((status) => status.id))
    const count = now.filter((status) => !known.has(status.id)).length
    if (count > 0) tell(count)
  }

  function receive(status: Status): void {
    const current = posts.peek()
    if (!current || status.in_reply_to_id === null) return
    const isKnown = current.descendants.some((one) => one.id === status.id)
    const belongs =
      status.in_reply_to_id === main.peek()?.id ||
      current.descendants.some((one) => one.id === status.in_reply_to_id)
    if (isKnown || !belongs) return
    keepStatus(status)
    posts.value = { ...current, descendants: [...current.descendants, status] }
    void lookAgain([status.in_reply_to_id])
    tell(1)
  }

  return {
    main,
    posts,
    error,
    isMissing,
    retry: () => void loadAll(),
    start(onNew) {
      tell = onNew
      isShown = true
      void loadAll()
      const stop = listen(
        { stream: 'user' },
        {
          event(name, payload) {
            if (name === 'update') receive(payload as Status)
            const answer = name === 'notification' ? (payload as { status?: Status | null }).status : null
            if (answer) receive(answer)
          },
          resync: () => void loadContext().catch(() => {}),
        },
      )
      return () => {
        isShown = false
        stopRefresh()
        stop()
      }
    },
  }
}
