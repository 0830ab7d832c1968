// Statuses of other servers: stored when they matter here, fetched when they are needed, changed when their author says.
import type { StoredActor } from '#domain/identity/accounts/remote/remote-actors.ts'
import { isTombstone } from '#domain/federation/queue/tombstones.ts'
import { dropHeldPost } from '#domain/content/spam/held-posts.ts'
import { recordHits } from '#domain/content/spam/hits.ts'
import { saveRemoteEdit } from '#domain/content/statuses/edits/save-remote-edit.ts'
import {
  findQuoteParties,
  withdrawConsent,
  type QuoteParties,
} from '#domain/content/statuses/quotes/remote-quote.ts'
import {
  findLocalStatus,
  findRemoteStatus,
  isAnyFollowed,
  loadKnownStatuses,
  type StoredRemoteStatus,
} from '#domain/content/statuses/remote/remote-references.ts'
import type { RemoteStatus } from '#domain/content/statuses/remote/remote-status.ts'
import { addReader, saveRemoteStatus } from '#domain/content/statuses/remote/save-remote-status.ts'
import type { Ctx, Tx } from '#ports/ctx.ts'
import { fetchDocument } from '#federation/fetch/fetch-document.ts'
import { isObject, isSameHost, typeOf, type JsonObject } from '#federation/kit/json.ts'
import { findTombstones, tombstonesOf } from './tombstones-of.ts'
import { isOwnUri, readLocalUri } from '#federation/kit/uris.ts'
import { ensureActor } from '../actors/actor.ts'
import { checkRemoteStatus, checkRemoteEdit, rejectStatus, isRejected } from './check-spam.ts'
import { maxMentionDepth, maxMentions, maxParents, maxReplies } from './limits.ts'
import type { NoteQuote } from './quote.ts'
import { isStatusType, readAudience, readNote, type NoteContent } from './read-note.ts'
import { isReplyRefused } from './refuse-reply.ts'
import {
  findAccounts,
  findPolicyGroups,
  findStatuses,
  readThread,
  type NamedAccounts,
  type References,
} from './resolve.ts'
import { readVisibility, type Audience } from './visibility.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

export interface EnsureOptions {
  /** How many fetches led here. */
  depth?: number
  /** The document, when its origin has just been asked for it. */
  document?: JsonObject
  /** Somebody sent word of it whom nobody here had asked: rules against spam hold, as if it had been sent itself. */
  unasked?: boolean
  /** What has to happen between its being fetched and its being stored. */
  beforeStored?: (document: JsonObject) => Promise<unknown>
}

export interface IncomingStatus {
  document: JsonObject
  author: StoredActor
  /** Whose personal inbox it came to. */
  recipientId?: AccountId | null
  /** Default `inbox`: stored only when somebody here has to do with it. */
  via?: 'inbox' | 'fetch'
  /** Of the activity, for documents that name nobody. */
  audience?: { to?: unknown; cc?: unknown }
  /** How many fetches led here. */
  depth?: number
  /** Rules against spam are asked; by default they are of what came by an inbox. */
  spamChecked?: boolean
  /** Staff let it through: it is stored, whatever the rules say and whether anybody here has to do with it or not. */
  released?: boolean
}

const hour = 3_600_000
/** What is older is not news when it was fetched. */
const freshFor = 6 * hour
/** Servers try to deliver for some days. */
const deliveredFor = 7 * 24 * hour
const earliest = Date.UTC(2000, 0, 1)

/**
 * The status at an address: this server's own, one that is stored, or one that is fetched from its server and stored,
 * whether anybody here has to do with it or not. Null when there is none to be had. Throws nothing for what others do.
 */
export async function ensureStatus(
  ctx: Ctx,
  uri: string,
  options: EnsureOptions = {},
): Promise<StatusId | null> {
  if (isOwnUri(ctx.config, uri)) return findOwn(ctx, uri)
  const known = (await loadKnownStatuses(ctx, [uri])).get(uri)
  if (known) return known.deleted ? null : (known.reblog_of_id ?? known.id)
  const { depth = 0 } = options
  if (depth > maxParents || (await isTombstone(ctx, uri))) return null
  const document = options.document ?? (await fetchStatus(ctx, uri))
  const note = document && readNote(document, ctx.clock.now())
  if (!document || !note) return null
  const authorUri = note.authors.find((author) => isSameHost(author, note.uri))
  const author = authorUri === undefined ? null : await ensureActor(ctx, authorUri)
  await options.beforeStored?.(document)
  const spamChecked = options.unasked === true
  return author && ingestStatus(ctx, { document, author, via: 'fetch', depth, spamChecked })
}

async function findOwn(ctx: Ctx, uri: string): Promise<StatusId | null> {
  const name = readLocalUri(ctx.config, uri)
  if (name?.kind !== 'status' && name?.kind !== 'activity') return null
  return findLocalStatus(ctx, name.username, name.id)
}

/** The Create of a status is as good as the status. */
async function fetchStatus(ctx: Ctx, uri: string): Promise<JsonObject | null> {
  const fetched = await fetchDocument(ctx, uri)
  if (fetched.kind !== 'document') return null
  const { document } = fetched
  const object = document['object']
  const isWrapped =
    typeOf(document) === 'Create' && isObject(object) && isSameHost(String(object['id']), fetched.uri)
  return isWrapped ? object : document
}

/**
 * Stores a status that its author's server sent or gave. The caller knows that it did. Returns its id here, also when it
 * is known already; null when it is not to be stored: it is no status, not this author's, was deleted, has to do with
 * nobody here, answers an author who does not take it, or a rule against spam keeps it out.
 */
export async function ingestStatus(ctx: Ctx, incoming: IncomingStatus): Promise<StatusId | null> {
  const { document, author, recipientId = null, depth = 0 } = incoming
  const note = isStatusType(typeOf(document)) ? readNote(document, ctx.clock.now()) : null
  if (!note || !mayBeOf(ctx, note, author)) return null
  const references = await findStatuses(ctx, note, author.id)
  const { known } = references
  if (known) {
    if (known.deleted || known.account_id !== author.id) return null
    if (recipientId !== null) await addReader(ctx, known.id, recipientId)
    return known.id
  }
  const audience = note.audience ?? readAudience(incoming.audience ?? {}) ?? { to: [], cc: [] }
  const named = await findAccounts(ctx, note, audience, author.followersUrl)
  if (!(await isWanted(ctx, incoming, references, named))) return null
  if (await isReplyRefused(ctx, { note, author, parent: references.parent, via: incoming.via ?? 'inbox' }))
    return null
  const status = await toRemoteStatus(ctx, { note, author, audience, references, named, recipientId })
  const decision = isSpamChecked(incoming) ? await checkRemoteStatus(ctx, { note, status }) : null
  if (decision && isRejected(decision)) {
    await rejectStatus(ctx, decision, {
      document,
      note,
      author,
      audience: incoming.audience ?? {},
      recipientId,
    })
    return null
  }
  const saved = await saveRemoteStatus(ctx, status, {
    ...timing(ctx, status.createdAt, incoming.via ?? 'inbox'),
    tombstones: tombstonesOf(author, note.uri),
    findTombstones,
    async onSaved(tx, id) {
      await requestMissing(tx, id, { note, references, named, depth })
      if (decision) await recordHits(tx, decision, { accountId: author.id, statusId: id, uri: note.uri })
    },
  })
  if (saved?.known && recipientId !== null) await addReader(ctx, saved.id, recipientId)
  return saved?.id ?? null
}

const isSpamChecked = ({ spamChecked, released = false, via = 'inbox' }: IncomingStatus) =>
  !released && (spamChecked ?? via === 'inbox')

/** It is of the author's server, and no other author is named. */
function mayBeOf(ctx: Ctx, note: NoteContent, author: StoredActor): boolean {
  if (author.suspended || isOwnUri(ctx.config, note.uri) || !isSameHost(note.uri, author.uri)) return false
  return note.authors.length === 0 || note.authors.includes(author.uri)
}

/** What nobody here follows, is named in or is answered by is not kept only because it was sent. */
async function isWanted(
  ctx: Ctx,
  incoming: IncomingStatus,
  { parent, quoted }: References,
  named: NamedAccounts,
): Promise<boolean> {
  if (incoming.released || incoming.recipientId || (incoming.via ?? 'inbox') !== 'inbox') return true
  if (named.anyLocal || parent?.local || quoted?.local) return true
  return isAnyFollowed(ctx, [incoming.author.id, ...(parent ? [parent.account_id] : [])])
}

/**
 * What arrives by itself gets an id of now, so that who reads on from the newest they have finds it; what was fetched
 * takes its place in time.
 */
function timing(ctx: Ctx, createdAt: Date, via: 'inbox' | 'fetch') {
  const age = ctx.clock.now() - createdAt.getTime()
  if (via === 'inbox') return { arriving: age < deliveredFor, past: age >= deliveredFor }
  return { arriving: false, past: age >= freshFor }
}

interface Resolved {
  note: NoteContent
  author: StoredActor
  audience: Audience
  references: References
  named: NamedAccounts
  recipientId: AccountId | null
}

async function toRemoteStatus(ctx: Ctx, resolved: Resolved): Promise<RemoteStatus> {
  const { note, author, references, named, recipientId } = resolved
  const createdAt = plausible(note.publishedAt, ctx.clock.now())
  return {
    ...(await changeable(ctx, note, author)),
    uri: note.uri,
    visibility: visibilityOf(resolved),
    createdAt,
    editedAt: editTime(ctx, note, createdAt),
    reply: note.parentUri !== null,
    parent: references.parent,
    conversation: readThread(ctx, note.conversationUri),
    quote: references.quoted && { statusId: references.quoted.id, accountId: references.quoted.account_id },
    repliesUrl: note.repliesUrl,
    mentioned: named.mentioned,
    addressed: recipientId === null ? named.addressed : [...named.addressed, recipientId],
  }
}

/** What came to somebody whom it does not name is for more than those it names. */
function visibilityOf({ note, author, audience, named, recipientId }: Resolved): RemoteStatus['visibility'] {
  const visibility = readVisibility(audience, author, note.mentions)
  const isUnnamed = recipientId !== null && !named.mentioned.includes(recipientId)
  return visibility === 'direct' && isUnnamed ? 'limited' : visibility
}

/** What an edit may change too. */
async function changeable(ctx: Ctx, note: NoteContent, author: StoredActor) {
  return {
    author: { id: author.id, domain: author.domain },
    url: note.url,
    content: note.content,
    spoilerText: note.spoilerText,
    sensitive: note.sensitive,
    language: note.language,
    media: note.media,
    poll: note.poll,
    hashtags: note.hashtags,
    emojis: note.emojis,
    told: note.told,
    ...(await findPolicyGroups(ctx, note, author)),
  }
}

/** Nothing was published in the future, or before there was anything like it. */
function plausible(time: Date | null, now: number): Date {
  return time === null || time.getTime() > now || time.getTime() < earliest ? new Date(now) : time
}

/** Null for what was not changed since it was published. */
function editTime(ctx: Ctx, { updatedAt }: NoteContent, createdAt: Date): Date | null {
  if (updatedAt === null || updatedAt.getTime() <= createdAt.getTime()) return null
  return plausible(updatedAt, ctx.clock.now())
}

type Missing = Pick<Resolved, 'note' | 'references' | 'named'> & { depth: number }

/** What has to be asked for elsewhere is asked for afterwards. */
async function requestMissing(
  tx: Tx,
  statusId: StatusId,
  { note, references, named, depth }: Missing,
): Promise<void> {
  const { parentUri, quote } = note
  const isForeign = (uri: string) => !isOwnUri(tx.config, uri)
  const missingParent =
    parentUri !== null && !references.parent && isForeign(parentUri) && depth < maxParents ? parentUri : null
  const replyUris = depth === 0 ? note.replyUris.slice(0, maxReplies) : []
  if (missingParent !== null || replyUris.length > 0) {
    await tx.emit({ type: 'thread.requested', statusId, parentUri: missingParent, replyUris, depth })
  }
  const uris = depth < maxMentionDepth ? named.unknown.slice(0, maxMentions) : []
  if (uris.length > 0) await tx.emit({ type: 'mentions.requested', statusId, uris, depth })
  const isQuoteOpen = quote && (references.quoted ? quote.approvalUri !== null : isForeign(quote.uri))
  if (isQuoteOpen && depth < maxParents)
    await tx.emit({ type: 'quoted-status.requested', statusId, ...quote, depth })
}

/**
 * Changes a stored status into what its author now says: an edit when that is newer, otherwise only votes and counters.
 * One that is not known yet is stored as if it had just been made. `quietly`: never an edit. Returns its id, null when
 * it is another's or not to be stored.
 */
export async function updateStatus(
  ctx: Ctx,
  document: JsonObject,
  author: StoredActor,
  options: Partial<IncomingStatus> & { quietly?: boolean } = {},
): Promise<StatusId | null> {
  const note = readNote(document, ctx.clock.now())
  if (!note || !mayBeOf(ctx, note, author)) return null
  const stored = await findRemoteStatus(ctx, note.uri)
  const { quietly = false } = options
  if (stored) return changeStatus(ctx, { note, author, stored, quietly })
  const id = quietly ? null : await ingestStatus(ctx, { ...options, document, author })
  if (id === null) return null
  // What waited for staff as it was before waits no more.
  await dropHeldPost(ctx, author.id, note.uri)
  // Somebody else may have stored it meanwhile, as it was before.
  const found = await findRemoteStatus(ctx, note.uri)
  return found && isOutdated(found, note) ? changeStatus(ctx, { note, author, stored: found, quietly }) : id
}

const isOutdated = (stored: StoredRemoteStatus, { updatedAt }: NoteContent) =>
  updatedAt !== null && updatedAt > (stored.edited_at ?? stored.created_at)

interface Change {
  note: NoteContent
  author: StoredActor
  stored: StoredRemoteStatus
  quietly: boolean
}

async function changeStatus(ctx: Ctx, { note, author, stored, quietly }: Change): Promise<StatusId | null> {
  if (stored.account_id !== author.id) return null
  const [references, named] = await Promise.all([
    findStatuses(ctx, note, author.id),
    findAccounts(ctx, note, { to: [], cc: [] }),
  ])
  const edit = {
    ...(await changeable(ctx, note, author)),
    statusId: stored.id,
    mentioned: named.mentioned,
    quotedId: references.quoted?.id ?? null,
    editedAt: note.updatedAt && plausible(note.updatedAt, ctx.clock.now()),
  }
  const uris = named.unknown.slice(0, maxMentions)
  const isRecent = !quietly && (note.updatedAt === null || isOutdated(stored, note))
  const decision = isRecent ? await checkRemoteEdit(ctx, { note, edit, stored }) : null
  const refused = decision !== null && isRejected(decision)
  const hit = { accountId: author.id, statusId: stored.id, uri: note.uri }
  if (refused) await ctx.transaction((tx) => recordHits(tx, decision, hit))
  const saved = await saveRemoteEdit(ctx, edit, {
    quietly: quietly || refused,
    onSaved: async (tx) => {
      if (uris.length > 0) await tx.emit({ type: 'mentions.requested', statusId: stored.id, uris, depth: 0 })
      if (decision) await recordHits(tx, decision, hit)
    },
  })
  if (!saved) return null
  const isLate = note.updatedAt !== null && stored.edited_at !== null && note.updatedAt < stored.edited_at
  if (note.quote && !isLate && !refused) await requestQuotedStatus(ctx, stored.id, note.quote, references)
  return stored.id
}

/**
 * Consent to a quote comes with an update that changes nothing else, and goes with one that does not show it any more:
 * then it is read again where it was.
 */
async function requestQuotedStatus(
  ctx: Ctx,
  statusId: StatusId,
  quote: NoteQuote,
  { quoted }: References,
): Promise<void> {
  const parties = await findQuoteParties(ctx, { statusId })
  if (parties && isUnproven(parties, quote) && (await withdrawConsent(ctx, statusId))) {
    const { approvalUri } = parties
    await ctx.transaction((tx) =>
      tx.emit({ type: 'quoted-status.requested', statusId, uri: quote.uri, approvalUri, depth: 0 }),
    )
    return
  }
  const isSettled = parties && (parties.state !== 'pending' || quote.approvalUri === null)
  if (isSettled || (!quoted && isOwnUri(ctx.config, quote.uri))) return
  await ctx.transaction((tx) => tx.emit({ type: 'quoted-status.requested', statusId, ...quote, depth: 0 }))
}

/** What people quote of themselves, and what this server's people consented to here, needs no proof. */
const isUnproven = (parties: QuoteParties, { uri, approvalUri }: NoteQuote) =>
  approvalUri === null &&
  !parties.quotedLocal &&
  parties.quotedUri === uri &&
  parties.quotedAccountId !== parties.quotingAccountId
