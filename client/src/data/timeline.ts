// A list of posts that grows at both ends: what comes above waits until it is asked for, what was missed is a gap.
import { batch, signal, type ReadonlySignal, type Signal } from '@preact/signals'
import type { Filter } from '#entities/filter.ts'
import type { Status } from '#entities/status.ts'
import { get, withQuery, type Answer } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { isStreaming, listen, type Stream } from '../api/streaming.ts'
import { isInDocument } from '../core/start.ts'
import { nextTask } from '../core/tasks.ts'
import { tell } from '../core/tell.ts'
import { t } from '../core/texts.ts'
import { createGrowth, type Growth } from './growth.ts'
import { followRefresh } from './refreshing.ts'
import { keepStatus, keepStatuses, markDeleted } from './statuses.ts'
import { createWaiting } from './waiting/waiting.ts'

export type FilterContext = Filter['context'][number]

/** Where a timeline comes from. */
export interface Source {
  /** A list of posts of the API, with its parameters. */
  path: string
  /** What brings new ones, where there is such a stream. */
  stream?: Stream
  /** Its order is not that of the posts' ids, as of bookmarks: nothing is looked for above it. */
  isFixed?: boolean
  /** Unknown to the server until somebody posts something for it: it is empty then. */
  mayBeUnknown?: boolean
  /** The server has fetched all that it did not have of it. */
  onComplete?(): void
  /** Which of the viewer's filters are for it. */
  context?: FilterContext
}

/** A post, or a place where posts are missing between two of them. */
export type Entry = ({ kind: 'post'; id: string } | { kind: 'gap'; id: string; above: string; below: string }) & {
  /** The same for those that came at once, which stand together. */
  page: number
}

export interface Timeline extends Growth {
  readonly entries: Signal<readonly Entry[]>
  /** Ids of new posts that are not shown yet, newest first. */
  readonly waiting: ReadonlySignal<readonly string[]>
  /** Begins at its top; where a post is named at which it was left, with that one too. */
  start(at?: string): Promise<void>
  loadOlder(): Promise<void>
  /** Has this post and those below it among its entries. */
  reach(id: string): Promise<void>
  showWaiting(): void
  fillGap(gap: Extract<Entry, { kind: 'gap' }>): Promise<void>
  /** Takes a post that was just written here. */
  prepend(status: Status): void
  /** Brings new posts while somebody looks. Returns how to stop. */
  follow(): () => void
}

const pageSize = 20
/** Of more waiting ones than this the oldest are a gap. */
const maxWaiting = 200

const known = new Map<string, Timeline>()

/** The timeline of a source, with what was read of it before. */
export function timelineOf(source: Source): Timeline {
  const timeline = known.get(source.path) ?? createTimeline(source)
  known.set(source.path, timeline)
  return timeline
}

let pages = 0

/** Posts that came at once, so many at a time that they can be drawn and left out together. */
function pageOf(ids: readonly string[]): Entry[] {
  const first = pages + 1
  pages += Math.ceil(ids.length / pageSize)
  return ids.map((id, index) => ({ kind: 'post', id, page: first + Math.floor(index / pageSize) }))
}

const gapBetween = (above: string, below: string): Entry => ({
  kind: 'gap',
  id: `${above}-${below}`,
  above,
  below,
  page: ++pages,
})

export function createTimeline(source: Source): Timeline {
  const entries = signal<readonly Entry[]>([])
  const waiting = createWaiting(maxWaiting)
  const { loading, error, ended, guarded } = createGrowth()
  let next: string | null = withQuery(source.path, { limit: pageSize })
  let isStarted = false

  function orNothing(error: unknown): Pick<Answer<Status[]>, 'body' | 'next' | 'refresh'> {
    if (source.mayBeUnknown && error instanceof ApiError && error.trouble === 'not-found') return { body: [], next: null, refresh: null }
    throw error
  }

  const isKnown = (id: string) =>
    waiting.ids.peek().includes(id) || entries.peek().some((entry) => entry.kind === 'post' && entry.id === id)
  /** Written here: what others posted before may not have come yet. */
  const written = new Set<string>()
  const newestShown = () => entries.peek().find(({ kind, id }) => kind === 'post' && !written.has(id))?.id

  /** Puts them below the others, each in a task of its own: on a slow phone drawing one takes as long as a frame. */
  async function append(below: readonly Entry[]): Promise<void> {
    for (const [at, entry] of below.entries()) {
      if (at > 0) await nextTask()
      entries.value = [...entries.peek(), entry]
    }
  }

  const loadOlder = () =>
    guarded(async () => {
      if (next === null) return
      const page = await get<Status[]>(next).catch(orNothing)
      await append(pageOf(keepStatuses(page.body).filter((id) => !isKnown(id))))
      next = page.next
      ended.value = page.next === null || page.body.length === 0
      if (page.refresh) followRefresh(page.refresh, refreshed)
    })

  const refreshed = {
    /** Puts in what the server has fetched; below what is read on already it would move that. */
    async onMore() {
      if (entries.peek().length > pageSize) return catchUp()
      const page = await get<Status[]>(withQuery(source.path, { limit: pageSize }))
      const ids = keepStatuses(page.body)
      const count = ids.filter((id) => !isKnown(id)).length
      if (count === 0) return
      entries.value = pageOf(ids)
      next = page.next
      ended.value = page.next === null
      tell(t.timeline.newPosts({ count }))
    },
    onDone: () => source.onComplete?.(),
  }

  /** The post at which the timeline was left, and what is below; what lies between is a gap. */
  const loadFrom = (at: string) =>
    guarded(async () => {
      const above = entries.peek().at(-1)?.id
      if (above === undefined || BigInt(at) > BigInt(above)) return
      const query = { limit: pageSize, max_id: String(BigInt(at) + 1n) }
      const page = await get<Status[]>(withQuery(source.path, query))
      const ids = keepStatuses(page.body).filter((id) => !isKnown(id))
      const [first] = ids
      if (first === undefined) return
      await append([gapBetween(above, first), ...pageOf(ids)])
      next = page.next
      ended.value = page.next === null
    })

  async function reach(id: string): Promise<void> {
    if (!source.isFixed && /^\d+$/.test(id) && !isKnown(id)) await loadFrom(id)
  }

  /** What was missed while nothing came by itself: up to a page, and a gap below it when there is more. */
  async function catchUp(): Promise<void> {
    const newest = waiting.ids.peek()[0] ?? newestShown()
    if (source.isFixed || (newest === undefined && !ended.peek())) return
    const page = await get<Status[]>(withQuery(source.path, { limit: pageSize, since_id: newest }))
    const ids = keepStatuses(page.body).filter((id) => !isKnown(id))
    const oldest = ids.at(-1)
    if (oldest === undefined) return
    const isWhole = page.body.length < pageSize
    if (!isWhole && newest !== undefined) putGap(oldest, newest)
    waiting.add(ids, newestShown())
  }

  /** Puts those that wait above the others; where more were missed than waited, with a gap between. */
  function showWaiting(): void {
    batch(() => {
      const { ids, cut } = waiting.take()
      const oldest = ids.at(-1)
      const gap = cut === null || oldest === undefined ? [] : [gapBetween(oldest, cut)]
      entries.value = [...pageOf(ids), ...gap, ...entries.peek()]
    })
  }

  function putGap(above: string, below: string): void {
    // Those that waited stand below the gap.
    batch(() => {
      showWaiting()
      entries.value = [gapBetween(above, below), ...entries.peek()]
    })
  }

  function receive(status: Status): void {
    keepStatus(status)
    if (!isKnown(status.id)) waiting.add([status.id], newestShown())
  }

  const listener = {
    event(name: string, payload: unknown) {
      if (name === 'update') receive(payload as Status)
      if (name === 'status.update') keepStatus(payload as Status)
      if (name === 'delete') markDeleted(String(payload))
    },
    resync: () => void catchUp().catch(() => {}),
  }

  return {
    entries,
    waiting: waiting.ids,
    loading,
    error,
    ended,
    async start(at) {
      if (isStarted) return void catchUp().catch(() => {})
      isStarted = true
      const isOld = next !== null && isInDocument(next)
      await loadOlder()
      if (isOld && isStreaming()) void catchUp().catch(() => {})
      if (at !== undefined) await reach(at)
    },
    reach,
    loadOlder,
    showWaiting,
    fillGap: (gap) =>
      guarded(async () => {
        const query = { limit: pageSize, max_id: gap.above, since_id: gap.below }
        const page = await get<Status[]>(withQuery(source.path, query))
        const ids = keepStatuses(page.body).filter((id) => !isKnown(id))
        const oldest = ids.at(-1)
        const rest: Entry[] =
          page.body.length < pageSize || oldest === undefined
            ? []
            : [gapBetween(oldest, gap.below)]
        entries.value = entries.peek().flatMap((entry) => (entry.id === gap.id ? [...pageOf(ids), ...rest] : [entry]))
      }),
    prepend(status) {
      keepStatus(status)
      written.add(status.id)
      // The stream may have brought it before the answer.
      batch(() => {
        waiting.drop(status.id)
        if (!isKnown(status.id)) entries.value = [...pageOf([status.id]), ...entries.peek()]
      })
    },
    follow: () => (source.stream ? listen(source.stream, listener) : () => {}),
  }
}
