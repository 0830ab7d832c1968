// What the outbox of an archive says, read from JSON that anybody may have written: pure.
import { isRecord } from './archive-values.ts'
import { addressesOf, first, idOf, list, textOf } from './archive-values.ts'
import type { ReplyPolicy } from '#domain/identity/accounts/viewer.ts'
import { parseLanguage } from '#lib/text/language.ts'
import { parseTime } from '#lib/time/parse-time.ts'
import { sentence } from '#lib/errors.ts'
import type { Reason } from '#lib/messages/describe-error.ts'

export type ArchivedVisibility = 'public' | 'unlisted' | 'private' | 'direct'

interface Common {
  /** Where it was: the address of a post, of the activity for a boost. */
  uri: string
  /** Whoever wrote it. */
  actor: string
  /** Milliseconds since the epoch. */
  published: number
  visibility: ArchivedVisibility
}

export interface ArchivedBoost extends Common {
  kind: 'boost'
  of: string
}

export interface ArchivedPost extends Common {
  kind: 'post'
  updated: number | null
  inReplyTo: string | null
  html: string
  source: { text: string; mediaType: string } | null
  spoilerText: string
  sensitive: boolean
  language: string | null
  /** Actors it is addressed to, besides its author. */
  recipients: string[]
  /** Was meant for the people of one server. */
  localOnly: boolean
  mentions: { href: string; name: string }[]
  /** Without the sign. */
  hashtags: string[]
  attachments: ArchivedMedia[]
  poll: ArchivedPoll | null
  quotes: string | null
  /** Whom it lets quote it, if it says so. */
  quotePolicy: 'public' | 'followers' | 'nobody' | null
  /** Whom it lets answer it, if it says so. */
  replyPolicy: ReplyPolicy | null
}

export interface ArchivedMedia {
  /** Where in the archive it may be, the likeliest place first. */
  files: string[]
  description: string
  focus: { x: number; y: number } | null
  blurhash: string | null
}

export interface ArchivedPoll {
  options: string[]
  tallies: number[]
  multiple: boolean
  votersCount: number | null
  endsAt: number | null
}

export type ArchivedItem = ArchivedPost | ArchivedBoost | { kind: 'other' } | Broken

export interface Broken {
  kind: 'broken'
  uri: string | null
  reason: Reason
}

const max = { mentions: 1000, hashtags: 100, attachments: 64, options: 100, uri: 2048, optionLength: 1000 }

/** Reads an activity of an outbox. Never fails: what is wrong with it is in the answer. */
export function readItem(json: unknown): ArchivedItem {
  if (!isRecord(json)) return { kind: 'broken', uri: null, reason: sentence('item_no_activity') }
  const object = json['object']
  if (json['type'] === 'Announce') return readBoost(json)
  if (json['type'] !== 'Create' || !isRecord(object)) return { kind: 'other' }
  if (object['type'] !== 'Note' && object['type'] !== 'Question') return { kind: 'other' }
  return readPost(json, object)
}

const isAddress = (text: string | null): text is string =>
  text !== null && text.length <= max.uri && /^https?:\/\/\S+$/.test(text)

const originOf = (uri: string) => URL.parse(uri)?.origin ?? null

function readBoost(json: Record<string, unknown>): ArchivedItem {
  const [uri, actor, of] = [idOf(json['id']), idOf(json['actor']), idOf(json['object'])]
  const published = timeOf(json['published'])
  if (!isAddress(uri) || !isAddress(actor) || !isAddress(of) || published === null) {
    return { kind: 'broken', uri, reason: sentence('boost_incomplete') }
  }
  return { kind: 'boost', uri, actor, of, published, visibility: visibilityOf(json, actor) ?? 'direct' }
}

function readPost(json: Record<string, unknown>, object: Record<string, unknown>): ArchivedItem {
  const uri = idOf(object['id'])
  const actor = idOf(json['actor']) ?? idOf(object['attributedTo'])
  const broken = (code: 'item_without_author' | 'item_of_other_author' | 'item_without_date'): Broken => ({
    kind: 'broken',
    uri,
    reason: sentence(code),
  })
  if (!isAddress(uri) || !isAddress(actor)) return broken('item_without_author')
  const author = idOf(first(object['attributedTo'] ?? actor))
  if (author !== actor || originOf(uri) !== originOf(actor)) return broken('item_of_other_author')
  const published = timeOf(object['published']) ?? timeOf(json['published'])
  if (published === null || published < 0) return broken('item_without_date')
  const visibility = narrower(visibilityOf(json, actor), visibilityOf(object, actor))
  const inReplyTo = idOf(first(object['inReplyTo']))
  return {
    kind: 'post',
    uri,
    actor,
    published,
    visibility: visibility ?? 'direct',
    updated: timeOf(object['updated']),
    inReplyTo: isAddress(inReplyTo) ? inReplyTo : null,
    recipients: recipientsOf([json, object], actor),
    localOnly: object['localOnly'] === true,
    ...readTexts(object),
    ...readTags(object),
    attachments: list(object['attachment']).filter(isRecord).slice(0, max.attachments).flatMap(readMedia),
    poll: readPoll(object),
    quotes: idOf(object['quote']) ?? idOf(object['quoteUri']) ?? idOf(object['_misskey_quote']),
    quotePolicy: readQuotePolicy(object, actor),
    replyPolicy: readReplyPolicy(object, actor),
  }
}

function readTexts(object: Record<string, unknown>) {
  const byLanguage = isRecord(object['contentMap']) ? Object.entries(object['contentMap']) : []
  const source = isRecord(object['source']) ? object['source'] : null
  return {
    html: textOf(object['content']) ?? textOf(byLanguage[0]?.[1]) ?? '',
    source:
      source && typeof source['content'] === 'string'
        ? { text: source['content'], mediaType: textOf(source['mediaType']) ?? 'text/html' }
        : null,
    spoilerText: textOf(object['summary']) ?? '',
    sensitive: object['sensitive'] === true,
    language: parseLanguage(byLanguage[0]?.[0]),
  }
}

function readTags(object: Record<string, unknown>) {
  const tags = list(object['tag']).filter(isRecord)
  const named = (type: string) => tags.filter((tag) => tag['type'] === type)
  return {
    mentions: named('Mention')
      .slice(0, max.mentions)
      .flatMap((tag) => {
        const [href, name] = [idOf(tag['href']), textOf(tag['name'])]
        return href !== null && name !== null ? [{ href, name }] : []
      }),
    hashtags: named('Hashtag')
      .slice(0, max.hashtags)
      .flatMap((tag) => textOf(tag['name'])?.replace(/^#/, '') ?? []),
  }
}

function readMedia(document: Record<string, unknown>): ArchivedMedia[] {
  const url =
    idOf(first(document['url'])) ?? textOf((first(document['url']) as { href?: unknown } | null)?.href)
  if (url === null) return []
  const point = document['focalPoint']
  const [x, y] = Array.isArray(point) ? point : []
  return [
    {
      files: placesOf(url),
      description: textOf(document['name']) ?? textOf(document['summary']) ?? '',
      focus: typeof x === 'number' && typeof y === 'number' ? { x, y } : null,
      blurhash: textOf(document['blurhash']),
    },
  ]
}

/** Mastodon writes a path, in older archives with a slash or `system` in front, or with the name of a bucket. */
function placesOf(url: string): string[] {
  const raw = /^https?:\/\//i.test(url) ? (URL.parse(url)?.pathname ?? '') : (url.split(/[?#]/, 1)[0] ?? '')
  const path = raw.replace(/^\/+/, '').replace(/^system\//, '')
  const inner = path.indexOf('media_attachments/')
  const places = [path, ...(inner > 0 ? [path.slice(inner)] : [])]
  return places.filter((place) => place !== '' && place.length <= max.uri)
}

function readPoll(object: Record<string, unknown>): ArchivedPoll | null {
  if (object['type'] !== 'Question') return null
  const multiple = Array.isArray(object['anyOf'])
  const options = list(object[multiple ? 'anyOf' : 'oneOf'])
    .filter(isRecord)
    .slice(0, max.options)
  if (options.length === 0) return null
  return {
    options: options.map((option) => (textOf(option['name']) ?? '').slice(0, max.optionLength)),
    tallies: options.map(
      (option) => countOf(isRecord(option['replies']) ? option['replies']['totalItems'] : 0) ?? 0,
    ),
    multiple,
    votersCount: countOf(object['votersCount']),
    endsAt: timeOf(object['endTime']) ?? timeOf(object['closed']),
  }
}

/** To whom something is allowed at once; null where nothing is said of it. */
function readAllowed(object: Record<string, unknown>, name: string): string[] | null {
  const policy = object['interactionPolicy']
  const allowed = isRecord(policy) ? policy[name] : null
  return isRecord(allowed) ? addressesOf(allowed['automaticApproval']) : null
}

function readReplyPolicy(object: Record<string, unknown>, actor: string): ArchivedPost['replyPolicy'] {
  const allowed = readAllowed(object, 'canReply')
  if (allowed === null) return null
  if (allowed.some(isPublic)) return 'public'
  if (allowed.some((address) => isFollowersOf(actor, address))) return 'followers'
  return allowed.includes(`${actor}/following`) ? 'following' : 'mentioned'
}

function readQuotePolicy(object: Record<string, unknown>, actor: string): ArchivedPost['quotePolicy'] {
  const allowed = readAllowed(object, 'canQuote')
  if (allowed === null) return null
  if (allowed.some(isPublic)) return 'public'
  return allowed.some((address) => isFollowersOf(actor, address)) ? 'followers' : 'nobody'
}

const maxCount = 2 ** 31 - 1
const countOf = (value: unknown) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maxCount ? value : null

function timeOf(value: unknown): number | null {
  return typeof value === 'string' && value.length < 100 ? parseTime(value) : null
}

const isPublic = (address: string) =>
  address === 'https://www.w3.org/ns/activitystreams#Public' ||
  address === 'as:Public' ||
  address === 'Public'

const isFollowersOf = (actor: string, address: string) =>
  address.startsWith(`${actor}/`) && address.endsWith('/followers')

/** As it is addressed; null when it says nothing of that. */
function visibilityOf(object: Record<string, unknown>, actor: string): ArchivedVisibility | null {
  if (object['to'] === undefined && object['cc'] === undefined) return null
  const [to, cc] = [addressesOf(object['to']), addressesOf(object['cc'])]
  if (to.some(isPublic)) return 'public'
  if (cc.some(isPublic)) return 'unlisted'
  return [...to, ...cc].some((address) => isFollowersOf(actor, address)) ? 'private' : 'direct'
}

const wideFirst: readonly ArchivedVisibility[] = ['public', 'unlisted', 'private', 'direct']

/** The activity and its object may be addressed differently. */
function narrower(a: ArchivedVisibility | null, b: ArchivedVisibility | null): ArchivedVisibility | null {
  if (a === null || b === null) return a ?? b
  return wideFirst.indexOf(a) > wideFirst.indexOf(b) ? a : b
}

function recipientsOf(objects: readonly Record<string, unknown>[], actor: string): string[] {
  const all = objects.flatMap((object) => [...addressesOf(object['to']), ...addressesOf(object['cc'])])
  return [...new Set(all)].filter(
    (address) => !isPublic(address) && !isFollowersOf(actor, address) && address !== actor,
  )
}
