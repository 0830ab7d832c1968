// How one stands to others: asked for together, kept once for all views, changed at once.
import { signal, type Signal } from '@preact/signals'
import type { Relationship } from '#entities/relationship.ts'
import { del, get, post, whenOnline, withQuery } from '../api/client.ts'
import { isOffline } from '../api/errors.ts'
import { isSignedIn } from '../core/start.ts'
import { lookAgainAtAccounts } from './account.ts'
import { act } from './act.ts'

const known = new Map<string, Signal<Relationship | null>>()
let wanted: string[] = []
/** How many the API answers at once. */
const max = 40

/** How one stands to an account; null until that is known. Asked for with all others that are wanted at the moment. */
export function relationshipOf(id: string): Signal<Relationship | null> {
  const state = known.get(id)
  if (state) return state
  const made = signal<Relationship | null>(null)
  known.set(id, made)
  want([id])
  return made
}

function want(ids: readonly string[]): void {
  if (wanted.length === 0) queueMicrotask(() => void ask())
  wanted.push(...ids)
}

async function ask(): Promise<void> {
  const ids = wanted
  wanted = []
  if (!isSignedIn()) return
  for (let start = 0; start < ids.length; start += max) {
    const part = ids.slice(start, start + max)
    try {
      const { body } = await get<Relationship[]>(
        withQuery('/api/v1/accounts/relationships', { id: part, with_suspended: true }),
      )
      for (const relationship of body) keepRelationship(relationship)
    } catch (error) {
      const unknown = part.filter((id) => known.get(id)?.peek() === null)
      if (isOffline(error)) void whenOnline().then(() => want(unknown))
      // Asked for again when they are shown again.
      else for (const id of unknown) known.delete(id)
    }
  }
}

export function keepRelationship(relationship: Relationship): void {
  const state = known.get(relationship.id)
  if (state) state.value = relationship
  else known.set(relationship.id, signal<Relationship | null>(relationship))
}

/** Whom the viewer muted or blocked while the page was open: what was loaded before is not shown any more. */
export const hiddenAuthors = signal<ReadonlyMap<string, Relationship>>(new Map())

/** Has the posts of an account leave timelines, or come back to them, by how one stands to it by now. */
export function hideAuthor(id: string): void {
  const now = known.get(id)?.peek()
  if (!now) return
  const others = [...hiddenAuthors.peek()].filter(([one]) => one !== id)
  const isHidden = now.blocking || now.muting || now.domain_blocking
  if (isHidden || others.length < hiddenAuthors.peek().size)
    hiddenAuthors.value = new Map(isHidden ? [...others, [id, now]] : others)
}

/** The same for notifications of it. */
export function isSilenced(id: string): boolean {
  const now = hiddenAuthors.value.get(id)
  return now !== undefined && (now.blocking || now.muting_notifications || now.domain_blocking)
}

/** What is done to an account, as the last part of its operation's path. */
export type Deed =
  | 'follow'
  | 'unfollow'
  | 'mute'
  | 'unmute'
  | 'block'
  | 'unblock'
  | 'pin'
  | 'unpin'
  | 'note'
  | 'remove_from_followers'

export interface Doing {
  /** What is shown until the server has answered. */
  show?: Partial<Relationship>
  body?: Readonly<Record<string, unknown>>
  /** It is done on a post of theirs, which stays until `hideAuthor` is called. */
  isOnPost?: boolean
}

/** Shows how one stands to an account by now. Returns how to take that back: more may have happened meanwhile. */
export function showRelationship(id: string, show: Partial<Relationship>): () => void {
  const state = relationshipOf(id)
  const before = state.peek()
  if (!before) return () => {}
  state.value = { ...before, ...show }
  const old = Object.fromEntries(Object.keys(show).map((key) => [key, before[key as keyof Relationship]]))
  return () => {
    state.value = { ...(state.peek() ?? before), ...old }
  }
}

/** Does it, and keeps how one stands to them then. Returns whether it was done. */
export function changeRelationship(id: string, deed: Deed, { show = {}, body, isOnPost = false }: Doing = {}): Promise<boolean> {
  const before = relationshipOf(id).peek()
  return act({
    show: () => showRelationship(id, show),
    ask: () => post<Relationship>(`/api/v1/accounts/${id}/${deed}`, body === undefined ? {} : { body }),
    done(now) {
      keepRelationship(now)
      if (!isOnPost) hideAuthor(id)
      if (before?.following !== now.following || before.followed_by !== now.followed_by) lookAgainAtAccounts()
    },
  })
}

/** Hides all of the server of this name, where the account is, or shows it again. Returns whether it was done. */
export function blockDomain({ id, name }: { id: string; name: string }, isBlocked: boolean): Promise<boolean> {
  return act({
    show: () => () => {},
    ask: () =>
      isBlocked
        ? post('/api/v1/domain_blocks', { body: { domain: name } })
        : del(`/api/v1/domain_blocks?domain=${encodeURIComponent(name)}`),
    done: () => {
      const now = known.get(id)?.peek()
      if (now) keepRelationship({ ...now, domain_blocking: isBlocked })
      hideAuthor(id)
    },
  })
}

/** Follows, asks to follow, or ends it. */
export function toggleFollow(account: { id: string; locked: boolean }): Promise<boolean> {
  const now = relationshipOf(account.id).peek()
  if (now?.following || now?.requested)
    return changeRelationship(account.id, 'unfollow', { show: { following: false, requested: false } })
  const show = account.locked ? { requested: true } : { following: true }
  return changeRelationship(account.id, 'follow', { show })
}
