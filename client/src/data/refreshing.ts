// What the server fetches from others while somebody looks (https://docs.joinmastodon.org/api/async-refreshes/).
import type { AsyncRefresh } from '#entities/annual-report.ts'
import { get, type Refresh } from '../api/client.ts'

export interface RefreshListener {
  /** Something has come. */
  onMore(): Promise<void>
  /** Nothing more will. */
  onDone?(): void
}

/** How often one is looked after, at most. */
const maxLooks = 20

/** Asks whether more has come, until all has. Returns how to stop. */
export function followRefresh(refresh: Refresh, { onMore, onDone }: RefreshListener): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const path = `/api/v1_alpha/async_refreshes/${encodeURIComponent(refresh.id)}`
  const lookAgain = (left: number, before: number) => {
    if (isOver || left === 0) return
    timer = setTimeout(async () => {
      try {
        const { status, result_count: count } = (await get<AsyncRefresh>(path)).body.async_refresh
        if (isOver) return
        if (count !== null && count > before) await onMore()
        if (status === 'running') lookAgain(left - 1, count ?? before)
        else onDone?.()
      } catch {
        // What is there stays; nobody waits for this.
      }
    }, refresh.retry)
  }
  lookAgain(maxLooks, 0)
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
