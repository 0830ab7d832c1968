// What a note names, as far as it is known here: a few queries at most, and nobody is asked.
import {
  findFollowingUrl,
  loadKnownStatuses,
  loadNameable,
  type KnownStatus,
} from '#domain/content/statuses/remote/remote-references.ts'
import { findVisibleStatus } from '#domain/content/statuses/queries.ts'
import type { StoredActor } from '#domain/identity/accounts/remote/remote-actors.ts'
import type { Ctx } from '#ports/ctx.ts'
import { isPublicAddress } from '#federation/kit/json.ts'
import { isOwnUri, readLocalUri } from '#federation/kit/uris.ts'
import type { NotePolicy } from './quote.ts'
import type { NoteContent } from './read-note.ts'
import type { Audience } from './visibility.ts'
import { asId, type AccountId, type ConversationId, type StatusId } from '#lib/id.ts'

export interface References {
  /** The note itself, when it is stored. */
  known: KnownStatus | null
  parent: KnownStatus | null
  quoted: KnownStatus | null
}

/**
 * The statuses a note is about. A boost stands for what it boosts to nobody: it cannot be answered or quoted. What the
 * author may not see here they do not answer either, whatever address they guess.
 */
export async function findStatuses(ctx: Ctx, note: NoteContent, authorId: AccountId): Promise<References> {
  const uris = [note.uri, note.parentUri, note.quote?.uri ?? null].filter((uri) => uri !== null)
  const keyOf = (uri: string) => localStatusId(ctx, uri) ?? uri
  const keys = new Map(uris.map((uri) => [uri, keyOf(uri)]))
  const isLocal = (uri: string) => isOwnUri(ctx.config, uri)
  const localIds = uris.flatMap((uri) => localStatusId(ctx, uri) ?? [])
  const found = await loadKnownStatuses(
    ctx,
    uris.filter((uri) => !isLocal(uri)),
    localIds,
  )
  const find = (uri: string | null | undefined) => (uri ? (found.get(keys.get(uri) ?? '') ?? null) : null)
  const related = (uri: string | null | undefined) => {
    const status = find(uri)
    return status && !status.deleted && status.reblog_of_id === null ? status : null
  }
  const parent = related(note.parentUri)
  const isHidden = parent?.local && !(await findVisibleStatus(ctx, authorId, parent.id))
  return { known: find(note.uri), parent: isHidden ? null : parent, quoted: related(note.quote?.uri) }
}

function localStatusId(ctx: Ctx, uri: string): StatusId | null {
  const name = readLocalUri(ctx.config, uri)
  return name?.kind === 'status' ? name.id : null
}

export interface NamedAccounts {
  /** Of those it names. */
  mentioned: AccountId[]
  /** Of those it is addressed to. */
  addressed: AccountId[]
  /** Some of them are of this server. */
  anyLocal: boolean
  /** Ids of those it names who are not known here. */
  unknown: string[]
}

/** The accounts a note names and is addressed to; its author's followers, at `followersUrl`, are no account. */
export async function findAccounts(
  ctx: Ctx,
  note: NoteContent,
  audience: Audience,
  followersUrl: string | null = null,
): Promise<NamedAccounts> {
  const addressed = [...audience.to, ...audience.cc].filter(
    (uri) => !isPublicAddress(uri) && uri !== followersUrl,
  )
  const all = [...new Set([...note.mentions, ...addressed])]
  const localName = (uri: string) => {
    const name = readLocalUri(ctx.config, uri)
    return name?.kind === 'actor' ? name.username.toLowerCase() : null
  }
  const usernames = all.flatMap((uri) => localName(uri) ?? [])
  const foreign = all.filter((uri) => !isOwnUri(ctx.config, uri))
  const rows = await loadNameable(ctx, foreign, usernames)
  const byKey = new Map(rows.map((row) => [row.local ? `@${row.username.toLowerCase()}` : row.uri, row.id]))
  const idsOf = (uris: readonly string[]) =>
    uris.flatMap((uri) => {
      const name = localName(uri)
      return byKey.get(name === null ? uri : `@${name}`) ?? []
    })
  return {
    mentioned: idsOf(note.mentions),
    addressed: idsOf(addressed),
    anyLocal: rows.some((row) => row.local),
    unknown: note.mentions.filter((uri) => !isOwnUri(ctx.config, uri) && !byKey.has(uri)),
  }
}

export interface PolicyGroups {
  quoteAutomatic: string[]
  quoteManual: string[]
  replyAutomatic: string[] | null
  replyManual: string[] | null
}

/** Who may quote and answer a note, in this server's words. */
export async function findPolicyGroups(
  ctx: Ctx,
  { quotePolicy: quotes, replyPolicy: replies }: Pick<NoteContent, 'quotePolicy' | 'replyPolicy'>,
  author: StoredActor,
): Promise<PolicyGroups> {
  const policies = replies ? [quotes, replies] : [quotes]
  const others = policies
    .flatMap(({ automatic, manual }) => [...automatic, ...manual])
    .filter((uri) => !isPublicAddress(uri) && uri !== author.followersUrl && uri !== author.uri)
  const followingUrl = others.length > 0 ? await findFollowingUrl(ctx, author.id) : null
  const groupOf = (uri: string) => {
    if (isPublicAddress(uri)) return ['public']
    if (uri === author.followersUrl) return ['followers']
    if (uri === author.uri) return []
    return [uri === followingUrl ? 'following' : 'unsupported_policy']
  }
  const groups = (uris: readonly string[]) => [...new Set(uris.flatMap(groupOf))]
  return {
    quoteAutomatic: groups(quotes.automatic),
    quoteManual: groups(quotes.manual),
    ...replyGroupsOf(replies, (uris) => groups(uris).filter((group) => group !== 'unsupported_policy')),
  }
}

/** Single accounts that are listed are those it names, who may answer anyway. */
function replyGroupsOf(
  policy: NotePolicy | null,
  groups: (uris: readonly string[]) => string[],
): Pick<PolicyGroups, 'replyAutomatic' | 'replyManual'> {
  const automatic = policy && groups(policy.automatic)
  if (!policy || !automatic || automatic.includes('public'))
    return { replyAutomatic: null, replyManual: null }
  const manual = groups(policy.manual)
  return { replyAutomatic: automatic, replyManual: manual.length > 0 ? manual : null }
}

/** The thread a note says it belongs to: one that began here, or one of another server's. */
export function readThread(ctx: Ctx, uri: string | null): { uri: string } | { id: ConversationId } | null {
  if (uri === null) return null
  if (!isOwnUri(ctx.config, uri)) return { uri }
  const id = /^\/contexts\/(\d{1,18})$/.exec(uri.slice(ctx.config.baseUrl.length))?.[1]
  return id === undefined ? null : { id: asId<ConversationId>(id) }
}
