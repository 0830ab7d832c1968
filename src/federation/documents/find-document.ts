// Which document is at a path, and whether whoever asks may have it.
import type { Ctx } from '#ports/ctx.ts'
import type { Document, DocumentRequest, Signer } from '#ports/activity-pub.ts'
import { mayFederate } from '#domain/server/hosts/may-federate.ts'
import { findServedAccount } from '#domain/federation/queue/published-objects.ts'
import { findOwnEmoji } from '#domain/server/instance/emojis/emojis.ts'
import { actorUri } from '#domain/server/instance/urls.ts'
import { forbidden, gone, notFound, unauthorized } from '#lib/errors.ts'
import { isId } from '#lib/ids.ts'
import { identifySigner } from '../inbox/identify.ts'
import { hostOf } from '../kit/json.ts'
import { toEmoji } from '../objects/emoji.ts'
import {
  actorDocument,
  featuredDocument,
  featuredTagsDocument,
  followsDocument,
  outboxDocument,
  synchronisationDocument,
} from './actor.ts'
import { open, type AccountAsk, type Ask } from './ask.ts'
import { instanceActorDocument, instanceOutbox } from './instance-actor.ts'
import {
  activityDocument,
  contextDocument,
  likesDocument,
  repliesDocument,
  sharesDocument,
  stampDocument,
  statusDocument,
} from './status.ts'
import { asId, type ConversationId, type StatusId } from '#lib/id.ts'

/** Throws as `ActivityPub.document`. */
export async function findDocument(ctx: Ctx, request: DocumentRequest): Promise<Document> {
  const [first = '', ...rest] = request.path.split('/').slice(1)
  if (first === 'actor') return findOfInstance(ctx, rest)
  const ask = await admit(ctx, request)
  if (first === 'users') return findOfAccount(ask, rest[0] ?? '', rest.slice(1))
  if (first.startsWith('@')) return findOfPage(ask, first.slice(1), rest)
  const [name = '', ...more] = rest
  if (more.length > 0) throw notFound()
  if (first === 'emojis') return findEmoji(ask, name)
  if (first === 'contexts' && isId(name)) return contextDocument(ask, asId<ConversationId>(name))
  throw notFound()
}

function findOfInstance(ctx: Ctx, rest: readonly string[]): Promise<Document> | Document {
  if (rest.length === 0) return instanceActorDocument(ctx)
  if (rest.length === 1 && rest[0] === 'outbox') return instanceOutbox(ctx)
  throw notFound()
}

/** Where everything must be asked for by name, nobody gets past here who has none. */
async function admit(ctx: Ctx, { query, signed }: DocumentRequest): Promise<Ask> {
  let found: Promise<Signer | null> | undefined
  const signer = () => (found ??= identifySigner(ctx, signed))
  const { authorizedFetch, limitedFederation } = ctx.config
  if (authorizedFetch || limitedFederation) {
    if (!(await signer())) throw unauthorized('request_not_signed')
  } else {
    await refuseBlocked(ctx, signed.headers)
  }
  return { ctx, query, signer }
}

/** Whoever says to be of a server with which this one has broken off is believed. */
async function refuseBlocked(ctx: Ctx, headers: Headers): Promise<void> {
  const claims = `${headers.get('signature') ?? ''} ${headers.get('signature-input') ?? ''}`
  const host = hostOf(/keyid="([^"]+)"/i.exec(claims)?.[1] ?? '')
  if (host !== null && !(await mayFederate(ctx, host))) throw forbidden()
}

type OfAccount = (ask: AccountAsk) => Promise<Document>

const collections: Readonly<Record<string, OfAccount>> = {
  outbox: outboxDocument,
  followers: (ask) => followsDocument(ask, 'followers'),
  followers_synchronization: synchronisationDocument,
  following: (ask) => followsDocument(ask, 'following'),
  'collections/featured': featuredDocument,
  'collections/tags': featuredTagsDocument,
}

const ofStatus: Readonly<Record<string, (ask: AccountAsk, id: StatusId) => Promise<Document>>> = {
  '': statusDocument,
  activity: activityDocument,
  replies: repliesDocument,
  likes: likesDocument,
  shares: sharesDocument,
}

async function findOfAccount(ask: Ask, username: string, rest: readonly string[]): Promise<Document> {
  const account = await findServedAccount(ask.ctx, username)
  if (!account) throw notFound()
  if (account.deleted) throw gone()
  const about = { ...ask, account, actor: actorUri(ask.ctx.config, account.username) }
  if (rest.length === 0) return actorDocument(about)
  if (account.suspended) throw forbidden('account_suspended')
  const [kind = '', id = '', ...more] = rest
  if (kind === 'statuses' && isId(id)) {
    const find = more.length <= 1 ? ofStatus[more[0] ?? ''] : undefined
    if (find) return find(about, asId<StatusId>(id))
  }
  if (kind === 'quote_authorizations' && isId(id) && more.length === 0)
    return stampDocument(about, asId<StatusId>(id))
  const find = collections[rest.join('/')]
  if (!find) throw notFound()
  return find(about)
}

/** The addresses of pages name the same things. */
function findOfPage(ask: Ask, username: string, rest: readonly string[]): Promise<Document> {
  return findOfAccount(ask, username, rest.length === 0 ? [] : ['statuses', ...rest])
}

async function findEmoji({ ctx }: Ask, shortcode: string): Promise<Document> {
  const emoji = await findOwnEmoji(ctx, shortcode)
  if (!emoji) throw notFound()
  return open(toEmoji(ctx.config, { ...emoji, domain: null, category: null, visible_in_picker: true }))
}
