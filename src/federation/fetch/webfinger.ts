// Handles of other servers (RFC 7033): which actor one names, as the server of the handle says.
import { onlyFederated } from '#domain/server/hosts/check-hops.ts'
import { mayFederate } from '#domain/server/hosts/may-federate.ts'
import { schemeFor } from '#lib/net/outgoing-url.ts'
import { isOwnDomain } from '#domain/identity/accounts/lookup.ts'
import { normaliseUsername, parseAcct, type Acct } from '#lib/acct.ts'
import type { Ctx } from '#ports/ctx.ts'
import { RemoteError, type HttpResponse } from '#ports/http-client.ts'
import { hostOf, toObjects, toText, type JsonObject } from '../kit/json.ts'
import { isDocumentType, parseDocument } from './document-types.ts'
import { recallFailure, rememberFailure } from './failures.ts'
import { findDescriptorTemplate } from './host-meta.ts'
import { createSingleFlight } from '#lib/concurrency/single-flight.ts'

export type Fingered =
  /** The handle as its server spells it, and the id of its actor. */
  | { kind: 'found'; username: string; domain: string; uri: string }
  /** There is such an account, but it does not speak ActivityPub. */
  | { kind: 'other-protocol' }
  /** There was one. */
  | { kind: 'gone' }
  /** There is none, or nobody answers who may speak for it. */
  | { kind: 'none' }

const maxBytes = 65_536
const jsonTypes = [
  'application/jrd+json',
  'application/json',
  'application/ld+json',
  'application/activity+json',
]
/** How long a handle that is not there is not asked for again, in seconds. */
const quietTime = 300

const share = createSingleFlight<Fingered>()

/** As `finger`, for who needs nothing but the actor. `acct` is the handle to store. */
export async function fingerHandle(
  ctx: Ctx,
  username: string,
  domain: string,
): Promise<{ acct: Acct; uri: string } | null> {
  const found = await finger(ctx, username, domain)
  if (found.kind !== 'found') return null
  return { acct: { username: found.username, domain: found.domain }, uri: found.uri }
}

/**
 * What the server of a handle says of it. A server may name another domain as that of its handles; then that one is
 * asked, and must confirm it. `domain` is normalised. Never throws for what others do; failures are remembered for
 * some minutes.
 */
export async function finger(ctx: Ctx, username: string, domain: string): Promise<Fingered> {
  const name = `${normaliseUsername(username)}@${domain}`
  return share(ctx, name, async () => {
    const earlier = await recallFailure<Fingered>(ctx, 'finger', name)
    if (earlier) return earlier
    const fingered = await confirm(ctx, { username, domain })
    if (fingered.kind !== 'found') {
      await rememberFailure(ctx, { kind: 'finger', name, seconds: quietTime }, fingered)
    }
    return fingered
  })
}

interface Handle {
  username: string
  domain: string
}

interface Descriptor {
  subject: Handle
  uri: string | null
}

type Outcome = Descriptor | 'gone' | 'none'

async function confirm(ctx: Ctx, asked: Handle): Promise<Fingered> {
  const first = await ask(ctx, asked)
  if (typeof first === 'string') return { kind: first }
  if (isSame(first.subject, asked)) return toFingered(first)
  const second = await ask(ctx, first.subject)
  if (typeof second === 'string') return { kind: second }
  return isSame(second.subject, first.subject) ? toFingered(second) : { kind: 'none' }
}

const isSame = (one: Handle, other: Handle) =>
  normaliseUsername(one.username) === normaliseUsername(other.username) && one.domain === other.domain

const toFingered = ({ subject, uri }: Descriptor): Fingered =>
  uri === null ? { kind: 'other-protocol' } : { kind: 'found', ...subject, uri }

async function ask(ctx: Ctx, handle: Handle): Promise<Outcome> {
  if (isOwnDomain(ctx.config, handle.domain) || !(await mayFederate(ctx, handle.domain))) return 'none'
  const resource = `acct:${handle.username}@${handle.domain}`
  const origin = `${schemeFor(ctx.config, handle.domain)}//${handle.domain}`
  const usual = `${origin}/.well-known/webfinger?resource=${encodeURIComponent(resource)}`
  const answer = await get(ctx, usual, jsonTypes)
  if (answer?.status !== 404) return readDescriptor(answer)
  const meta = await get(ctx, `${origin}/.well-known/host-meta`, [
    'application/xrd+xml',
    'application/xml',
    'text/xml',
  ])
  const template = meta?.status === 200 ? findDescriptorTemplate(meta.body.toString('utf8')) : null
  const other = template?.replaceAll('{uri}', encodeURIComponent(resource)) ?? null
  return other === null || other === usual ? 'none' : readDescriptor(await get(ctx, other, jsonTypes))
}

async function get(ctx: Ctx, url: string, types: readonly string[]): Promise<HttpResponse | null> {
  try {
    const accept = types.join(', ')
    return await ctx.http.send({
      url,
      headers: { accept },
      types,
      maxBytes,
      sign: onlyFederated(ctx),
    })
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    ctx.log.debug({ url, reason: error.message }, 'a server could not be asked for a handle')
    return null
  }
}

function readDescriptor(answer: HttpResponse | null): Outcome {
  if (answer?.status === 410) return 'gone'
  const document = answer?.status === 200 ? parseDocument(answer.body) : null
  const subject = document && parseAcct((toText(document['subject']) ?? '').replace(/^acct:/i, ''))
  if (!document || !subject || subject.domain === null) return 'none'
  return { subject: { username: subject.username, domain: subject.domain }, uri: findSelf(document) }
}

function findSelf(document: JsonObject): string | null {
  const links = toObjects(document['links']).slice(0, 100)
  const self = links.find((link) => link['rel'] === 'self' && isDocumentType(toText(link['type'])))
  const href = toText(self?.['href'])
  return href !== null && hostOf(href) !== null ? href : null
}
