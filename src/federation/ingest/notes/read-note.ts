// What another server says of a status, read without asking anybody: https://docs.joinmastodon.org/spec/activitypub/.
import type { RemoteMedia } from '#domain/content/media/save-remote.ts'
import type { RemotePoll } from '#domain/content/polls/remote-poll.ts'
import { escapeHtml } from '#lib/html/html.ts'
import { renderLink } from '#lib/html/render-text.ts'
import { parseLanguage } from '#lib/text/language.ts'
import { sanitizeHtml } from '#lib/html/sanitize.ts'
import {
  hostOf,
  isObject,
  isSameHost,
  isStorableId,
  toBoolean,
  toCount,
  toId,
  toIds,
  toList,
  toText,
  toTime,
  toUrl,
  typeOf,
  type JsonObject,
  openBearcap,
} from '#federation/kit/json.ts'
import { readAttachments } from './attachments.ts'
import { readPoll } from './poll.ts'
import { readQuote, readQuotePolicy, readReplyPolicy, type NotePolicy, type NoteQuote } from './quote.ts'
import { readTags, type NoteTags } from '../actors/tags.ts'
import { readPlain } from './text.ts'
import type { Audience } from './visibility.ts'

export interface NoteContent extends NoteTags {
  uri: string
  /** A page about it on the same host. Null: none, so that the uri leads there. */
  url: string | null
  /** All that are said to have written it. */
  authors: string[]
  /** Harmless HTML. */
  content: string
  spoilerText: string
  sensitive: boolean
  language: string | null
  publishedAt: Date | null
  updatedAt: Date | null
  parentUri: string | null
  conversationUri: string | null
  /** Null when it names nobody at all: then the activity's counts. */
  audience: Audience | null
  media: RemoteMedia[]
  poll: RemotePoll | null
  quote: NoteQuote | null
  quotePolicy: NotePolicy
  /** Null: all who see it may answer. */
  replyPolicy: NotePolicy | null
  repliesUrl: string | null
  /** Replies whose addresses it brought along. */
  replyUris: string[]
  /** What its own server counts. */
  told: { favourites: number | null; reblogs: number | null }
}

const firstClass = new Set(['Note', 'Question'])
/** Shown by their title, their summary and a link. */
const converted = new Set(['Image', 'Audio', 'Video', 'Article', 'Page', 'Event'])
const max = { content: 262_144, spoiler: 5_000, title: 2_000, audience: 1_000, replies: 100 }

/** Whether documents of this type become statuses. */
export function isStatusType(type: string): boolean {
  return firstClass.has(type) || converted.has(type)
}

/**
 * The content of a document; null when it is no status, or has no id that is an address. Never fails, whatever it is
 * given. `now` in milliseconds: the end of a poll that only says that it is closed.
 */
export function readNote(document: JsonObject, now: number): NoteContent | null {
  const type = typeOf(document)
  const uri = readUri(document['id'])
  if (uri === null || !isStatusType(type)) return null
  const page = toUrl(document['url'])
  const url = page !== null && page !== uri && isSameHost(page, uri) ? page : null
  const isConverted = converted.has(type)
  return {
    uri,
    url,
    authors: readAuthors(document),
    content: isConverted ? convert(document, url ?? uri) : readContent(document),
    spoilerText: isConverted ? '' : readPlain(mapped(document, 'summary'), max.spoiler),
    sensitive: toBoolean(document['sensitive']) || toBoolean(document['as:sensitive']),
    language: readLanguage(document),
    publishedAt: toTime(document['published']),
    updatedAt: toTime(document['updated']),
    parentUri: readAddress(document['inReplyTo']),
    conversationUri: readConversation(document),
    audience: readAudience(document),
    ...readTags(document),
    media: readAttachments(document),
    poll: readPoll(document, now),
    quote: readQuote(document),
    quotePolicy: readQuotePolicy(document),
    replyPolicy: readReplyPolicy(document),
    ...readReplies(document['replies'], uri),
    told: { favourites: countOf(document['likes']), reblogs: countOf(document['shares']) },
  }
}

/** To whom a document, or an activity, is addressed. Null when it does not say. */
export function readAudience(document: { to?: unknown; cc?: unknown }): Audience | null {
  if (document.to === undefined && document.cc === undefined) return null
  const addresses = (value: unknown) => toIds(value).slice(0, max.audience)
  return { to: addresses(document.to), cc: addresses(document.cc) }
}

function readUri(id: unknown): string | null {
  const text = toId(id)
  return text === null ? null : readAddress(openBearcap(text))
}

function readAddress(value: unknown): string | null {
  const uri = toId(value)
  return uri !== null && hostOf(uri) !== null ? uri : null
}

const readAuthors = (document: JsonObject) => [
  ...toIds(document['attributedTo']),
  ...(document['attributedTo'] === undefined ? toIds(document['actor']) : []),
]

/** The text of a member, or the first of those in several languages. */
function mapped(document: JsonObject, name: 'content' | 'summary' | 'name'): string {
  const text = toText(document[name])
  if (text !== null) return text
  const map = document[`${name}Map`]
  return (
    (isObject(map) &&
      Object.values(map)
        .map(toText)
        .find((one) => one !== null)) ||
    ''
  )
}

const readContent = (document: JsonObject) => sanitizeHtml(mapped(document, 'content').slice(0, max.content))

/** In the form that Mastodon gives them: title, summary, link. */
function convert(document: JsonObject, link: string): string {
  const title = readPlain(mapped(document, 'name'), max.title)
  const parts = [
    title === '' ? '' : `<h2>${escapeHtml(title)}</h2>`,
    mapped(document, 'summary').slice(0, max.content),
    `<p>${renderLink(link)}</p>`,
  ]
  return sanitizeHtml(parts.filter((part) => part !== '').join('\n\n'))
}

function readLanguage(document: JsonObject): string | null {
  for (const name of ['contentMap', 'nameMap', 'summaryMap']) {
    const map = document[name]
    const language = isObject(map) ? parseLanguage(Object.keys(map)[0]) : null
    if (language !== null) return language
  }
  return null
}

/** Of a thread: an address, or a `tag:` URI (RFC 4151). */
function readConversation(document: JsonObject): string | null {
  const named = [document['conversation'], document['context']].map(toId)
  return named.find((uri) => uri !== null && isStorableId(uri) && /^(?:https?|tag):/i.test(uri)) ?? null
}

/** Only what the status's own server says of it counts. */
function readReplies(value: unknown, uri: string): Pick<NoteContent, 'repliesUrl' | 'replyUris'> {
  const collection = toList(value)[0]
  const url = readAddress(collection)
  const replyUris = isObject(collection) ? itemsOf(collection) : []
  return {
    repliesUrl: url !== null && isSameHost(url, uri) ? url : null,
    replyUris: replyUris.filter((reply) => isSameHost(reply, uri) && reply !== uri).slice(0, max.replies),
  }
}

/** Of a collection and its first page, as far as they are there. */
function itemsOf(collection: JsonObject): string[] {
  const pages = [collection, ...toList(collection['first']).filter(isObject)]
  return pages.flatMap((page) => [...toIds(page['items']), ...toIds(page['orderedItems'])])
}

const countOf = (collection: unknown) => (isObject(collection) ? toCount(collection['totalItems']) : null)
