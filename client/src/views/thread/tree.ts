// A thread as rows one below the other: branches indented, long ones folded. Pure, and quick for thousands of answers.
import type { Status } from '#entities/status.ts'

type Post = Pick<Status, 'id' | 'in_reply_to_id'> & { account: Pick<Status['account'], 'id'> }

export interface Thread {
  /** The post that the page is about. */
  readonly main: string
  /** The author's own continuation of it, in order. */
  readonly own: readonly string[]
  /** Post → the posts that answer it, in order. What answers a post that is not there, answers the main one. */
  readonly answers: ReadonlyMap<string, readonly string[]>
  /** Post → how many posts are below it, at any depth. */
  readonly sizes: ReadonlyMap<string, number>
  /** Post → what it answers. */
  readonly parents: ReadonlyMap<string, string>
}

/** What somebody has opened and folded. */
export interface Folds {
  readonly folded: ReadonlySet<string>
  /** Post → how many of its answers are shown, where it is more than at first. */
  readonly shown: ReadonlyMap<string, number>
}

export type Row =
  | {
      kind: 'post'
      id: string
      depth: number
      below: number
      isFolded: boolean
      parent: string
      isAway: boolean
    }
  /** More answers to the same post. */
  | { kind: 'more'; id: string; depth: number; count: number }
  /** Too deep for this page: it goes on at the post's own. */
  | { kind: 'deeper'; id: string; depth: number; count: number }

/** How deep answers are indented; what is deeper has a page of its own. */
const deepest = 5
/** How many answers to a post are shown at first: to the main one, and to others. */
const atFirst = { main: 40, others: 4 }
/** How many more at a time. */
export const step = 40

/** Puts a thread together from what the API lists below its main post. */
export function buildThread(main: Post, descendants: readonly Post[]): Thread {
  const known = new Set([main.id, ...descendants.map(({ id }) => id)])
  const parents = new Map<string, string>()
  const answers = new Map<string, string[]>()
  for (const { id, in_reply_to_id } of descendants) {
    const parent = in_reply_to_id !== null && known.has(in_reply_to_id) ? in_reply_to_id : main.id
    parents.set(id, parent)
    const siblings = answers.get(parent)
    if (siblings) siblings.push(id)
    else answers.set(parent, [id])
  }
  const authors = new Map(descendants.map(({ id, account }) => [id, account.id]))
  const own = continuation(main, answers, authors)
  return { main: main.id, own, answers, sizes: measure(main.id, answers), parents }
}

/** The first answer of the author to their own post, the first one to that, and so on. */
function continuation(
  main: Post,
  answers: ReadonlyMap<string, readonly string[]>,
  authors: ReadonlyMap<string, string>,
): string[] {
  const own: string[] = []
  let at: string | undefined = main.id
  while (at !== undefined) {
    at = answers.get(at)?.find((id) => authors.get(id) === main.account.id)
    if (at !== undefined) own.push(at)
  }
  return own
}

/** Counts from the leaves up, without recursion: a thread may be thousands deep. */
function measure(root: string, answers: ReadonlyMap<string, readonly string[]>): Map<string, number> {
  const order = [root]
  for (let index = 0; index < order.length; index++) order.push(...(answers.get(order[index] ?? '') ?? []))
  const sizes = new Map<string, number>()
  for (const id of order.toReversed()) {
    const below = answers.get(id) ?? []
    sizes.set(
      id,
      below.reduce((sum, child) => sum + 1 + (sizes.get(child) ?? 0), 0),
    )
  }
  return sizes
}

/** The rows below the main post and the author's continuation, as far as they are opened. */
export function rowsOf(thread: Thread, folds: Folds): Row[] {
  const own = new Set(thread.own)
  const rows: Row[] = []
  let above = thread.own.at(-1) ?? thread.main
  const lay = (parent: string, depth: number): void => {
    const all = (thread.answers.get(parent) ?? []).filter((id) => !own.has(id))
    const max = folds.shown.get(parent) ?? (depth === 0 ? atFirst.main : atFirst.others)
    for (const id of all.slice(0, max)) {
      const below = thread.sizes.get(id) ?? 0
      const isFolded = folds.folded.has(id)
      rows.push({ kind: 'post', id, depth, below, isFolded, parent, isAway: parent !== above })
      above = id
      if (below === 0 || isFolded) continue
      if (depth + 1 < deepest) lay(id, depth + 1)
      else rows.push({ kind: 'deeper', id, depth: depth + 1, count: below })
    }
    if (all.length > max) rows.push({ kind: 'more', id: parent, depth, count: all.length - max })
  }
  for (const id of [thread.main, ...thread.own]) lay(id, 0)
  return rows
}
