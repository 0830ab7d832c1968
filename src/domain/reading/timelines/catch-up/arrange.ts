// Puts what came while somebody was away in order: by people, threads, boosts and links. Pure.
import type { CatchUpKind, CatchUpOrder } from '#lib/catch-up.ts'
import { compareIds } from '#lib/ids.ts'
import { groupBy, unique } from '#lib/collections.ts'
import type { CatchUpEntry } from './entries.ts'
import type { AccountId, AnyId, ConversationId, PreviewCardId, StatusId } from '#lib/id.ts'

/** Each entry is of one kind. */
export function kindOf(entry: CatchUpEntry): CatchUpKind {
  if (entry.original_id !== entry.id) return 'reblog'
  if (entry.by_tag) return 'followed_tag'
  return entry.reply ? 'reply' : 'original'
}

/** What is wanted of the entries: all that is given must hold. */
export interface CatchUpSelection {
  kinds?: readonly CatchUpKind[] | undefined
  accountId?: AccountId | undefined
  /** Any status of a thread. */
  threadId?: StatusId | undefined
  /** A status with the same link. */
  linkOf?: StatusId | undefined
  links?: boolean | undefined
  /** Authors who post rarely. */
  quiet?: ReadonlySet<AccountId> | undefined
}

export function selectEntries(
  entries: readonly CatchUpEntry[],
  { kinds, accountId, threadId, linkOf, links, quiet }: CatchUpSelection,
): CatchUpEntry[] {
  const named = (id: StatusId | undefined) =>
    entries.find((entry) => entry.id === id || entry.original_id === id)
  const thread = named(threadId)?.conversation_id ?? null
  const link = named(linkOf)?.card_id ?? null
  return entries.filter(
    (entry) =>
      (!kinds || kinds.includes(kindOf(entry))) &&
      (accountId === undefined || entry.account_id === accountId) &&
      (threadId === undefined || (thread !== null && entry.conversation_id === thread)) &&
      (linkOf === undefined || (link !== null && entry.card_id === link)) &&
      (links !== true || entry.card_id !== null) &&
      (!quiet || quiet.has(entry.account_id)),
  )
}

/** Entries, which come newest first, in another order. Where it leaves two equal the newer one comes first. */
export function orderEntries(entries: readonly CatchUpEntry[], order: CatchUpOrder): CatchUpEntry[] {
  const by = (value: (entry: CatchUpEntry) => number) =>
    entries.toSorted((a, b) => value(b) - value(a) || compareIds(b.id, a.id))
  switch (order) {
    case 'newest':
      return [...entries]
    case 'oldest':
      return entries.toReversed()
    case 'author':
      return groupAuthors(entries).flatMap((author) => author.entries)
    case 'thread':
      return [...groupBy(entries, threadOf).values()].flatMap((group) => group.toReversed())
    case 'density':
      return by((entry) => entry.density)
    case 'replies':
      return by((entry) => entry.replies_count)
    case 'reblogs':
      return by((entry) => entry.reblogs_count)
    case 'favourites':
      return by((entry) => entry.favourites_count)
  }
}

const threadOf = (entry: CatchUpEntry) => entry.conversation_id ?? entry.original_id

/** Entries that have something in common, by the id of what it is. */
export interface CatchUpGroup<Id extends AnyId = AnyId> {
  id: Id
  entries: CatchUpEntry[]
}

/** By who wrote or boosted: those with the fewest first, so that nobody who says little is lost. */
export function groupAuthors(entries: readonly CatchUpEntry[]): CatchUpGroup<AccountId>[] {
  return groups(entries, (entry) => entry.account_id).toSorted(
    (a, b) => a.entries.length - b.entries.length || newestFirst(a, b),
  )
}

/** Threads of which there is more than one post, the longest first. */
export function groupThreads(entries: readonly CatchUpEntry[]): CatchUpGroup<ConversationId | StatusId>[] {
  return groups(
    entries.filter((entry) => kindOf(entry) !== 'reblog'),
    threadOf,
  )
    .filter((group) => group.entries.length > 1)
    .toSorted((a, b) => b.entries.length - a.entries.length || newestFirst(a, b))
}

/** By the card of the link, those first that most people shared. */
export function groupLinks(entries: readonly CatchUpEntry[]): CatchUpGroup<PreviewCardId>[] {
  return groups(entries, (entry) => entry.card_id).toSorted(
    (a, b) => accountsOf(b).length - accountsOf(a).length || newestFirst(a, b),
  )
}

/** Who brought what is in a group, each once. */
export const accountsOf = (group: CatchUpGroup): AccountId[] =>
  unique(group.entries.map((entry) => entry.account_id))

function groups<Id extends AnyId>(
  entries: readonly CatchUpEntry[],
  keyOf: (entry: CatchUpEntry) => Id | null,
): CatchUpGroup<Id>[] {
  return [...groupBy(entries, keyOf)].flatMap(([id, group]) => (id === null ? [] : [{ id, entries: group }]))
}

const newestFirst = (a: CatchUpGroup, b: CatchUpGroup) =>
  compareIds(b.entries[0]?.id ?? '', a.entries[0]?.id ?? '')
