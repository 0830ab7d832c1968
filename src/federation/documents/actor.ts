import type { Document } from '#ports/activity-pub.ts'
import { forbidden, gone, notFound, unauthorized } from '#lib/errors.ts'
import { tagUrl } from '#domain/server/instance/urls.ts'
import { findActor } from '#domain/identity/accounts/load-actor.ts'
import { listFollowersOn } from '#domain/federation/queue/follower-digests.ts'
import { isBlockedBy, listFollowUris } from '#domain/federation/queue/published-objects.ts'
import { loadNotes } from '#domain/content/statuses/load-note-data.ts'
import { listFeaturedTags } from '#domain/content/tags/featured-tags.ts'
import { listAccountStatuses } from '#domain/reading/timelines/account.ts'
import { mapPage } from '#lib/page.ts'
import { ensureSigningKeys } from '../signatures/signing-keys.ts'
import { toActivity } from '../objects/to-activity.ts'
import { toActor, toUnavailableActor } from '../objects/to-actor.ts'
import { toNote } from '../objects/to-note.ts'
import { open, personal, signerIfGood, type AccountAsk } from './ask.ts'
import { orderedEntry, orderedPage, readPage } from './collection.ts'
import type { AccountId } from '#lib/id.ts'

const outboxPage = 20
const followsPage = 12
const maxPinned = 5
/** Nobody compares lists longer than this. */
const maxSynchronised = 25_000

/** Everybody may have it; a suspended one says no more than that. */
export async function actorDocument({ ctx, account }: AccountAsk): Promise<Document> {
  const keys = await ensureSigningKeys(ctx, account.id)
  const facts = await findActor(ctx, account.id)
  if (!facts) throw gone()
  return open(
    account.suspended ? toUnavailableActor(ctx.config, facts, keys) : toActor(ctx.config, facts, keys),
  )
}

export async function outboxDocument(ask: AccountAsk): Promise<Document> {
  const { ctx, account } = ask
  const uri = `${ask.actor}/outbox`
  const request = readPage(ask.query, outboxPage)
  if (!request) {
    const last = `${uri}?page=true&min_id=0`
    return open({ ...orderedEntry(uri, { totalItems: account.statuses_count }), last })
  }
  const asker = await askerOf(ask)
  const page = await listAccountStatuses(ctx, asker, { accountId: account.id, options: {} }, request)
  const notes = await loadNotes(ctx, page.items)
  const activities = mapPage(page, (ids) =>
    ids.flatMap((id) => {
      const note = notes.get(id)
      return note ? [toActivity(ctx.config, note, ctx.clock.now())] : []
    }),
  )
  const body = orderedPage({ uri, query: ask.query }, activities, request)
  return asker === null ? open(body, 60) : personal(body)
}

/** Followers or the followed. Of those who keep them to themselves only the number is told. */
export async function followsDocument(ask: AccountAsk, side: 'followers' | 'following'): Promise<Document> {
  const { ctx, account } = ask
  const uri = `${ask.actor}/${side}`
  const totalItems = side === 'followers' ? account.followers_count : account.following_count
  const request = readPage(ask.query, followsPage)
  await askerOf(ask)
  if (account.hide_collections) {
    if (request) throw forbidden()
    return open({ id: uri, type: 'OrderedCollection', totalItems })
  }
  if (!request) return open(orderedEntry(uri, { totalItems }))
  const page = await listFollowUris(ctx, { accountId: account.id, side }, request)
  return open({ ...orderedPage({ uri, query: ask.query }, page, request), totalItems })
}

/** Which followers live on the server that asks (FEP-8fcf). */
export async function synchronisationDocument({
  ctx,
  account,
  actor,
  signer,
}: AccountAsk): Promise<Document> {
  const asker = await signer()
  if (!asker) throw unauthorized('request_not_signed')
  const which = { accountId: account.id, host: asker.host, max: maxSynchronised }
  const uris = await listFollowersOn(ctx, which)
  if (!uris) throw notFound()
  return personal({
    id: `${actor}/followers_synchronization`,
    type: 'OrderedCollection',
    totalItems: uris.length,
    orderedItems: uris,
  })
}

/** What is pinned, the newest pin first. */
export async function featuredDocument(ask: AccountAsk): Promise<Document> {
  const { ctx, account } = ask
  const asker = await askerOf(ask)
  const query = { accountId: account.id, options: { pinned: true } }
  const { items } = await listAccountStatuses(ctx, asker, query, { limit: maxPinned })
  const notes = await loadNotes(ctx, items)
  const orderedItems = items.flatMap((id) => {
    const note = notes.get(id)
    return note ? [toNote(ctx.config, note, ctx.clock.now())] : []
  })
  const uri = `${ask.actor}/collections/featured`
  const body = { id: uri, type: 'OrderedCollection', totalItems: orderedItems.length, orderedItems }
  return asker === null ? open(body) : personal(body)
}

export async function featuredTagsDocument({ ctx, account, actor }: AccountAsk): Promise<Document> {
  const items = (await listFeaturedTags(ctx, account.id)).map((tag) => ({
    type: 'Hashtag',
    href: tagUrl(ctx.config, tag.name),
    name: `#${tag.display_name}`,
  }))
  return open({ id: `${actor}/collections/tags`, type: 'Collection', totalItems: items.length, items })
}

/** The account that asks, when it can be told. Whom the local account blocks finds nothing. */
async function askerOf(ask: AccountAsk): Promise<AccountId | null> {
  const signer = await signerIfGood(ask)
  if (signer && (await isBlockedBy(ask.ctx, ask.account.id, signer.accountId))) throw notFound()
  return signer?.accountId ?? null
}
