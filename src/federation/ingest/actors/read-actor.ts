// What an actor's document says, as far as it can be believed and is within the limits (docs/developers/federation.md).
import type { PublishedKey } from '#domain/federation/queue/keys.ts'
import { isUsername, parseAcct, type Acct } from '#lib/acct.ts'
import { stripHtml } from '#lib/html/html.ts'
import { cleanName } from '#lib/text/sanitize-name.ts'
import { sanitizeHtml } from '#lib/html/sanitize.ts'
import { readSoleLink } from '#lib/html/sole-link.ts'
import { renderLink } from '#lib/html/render-text.ts'
import { cleanText, truncatePlain } from '#lib/text/text.ts'
import { decodeMultikey, readPublicKeyPem } from '#federation/signatures/multikey.ts'
import {
  hostOf,
  isObject,
  isSameHost,
  toBoolean,
  toId,
  toIds,
  toList,
  toObject,
  toObjects,
  toText,
  toTime,
  toUrl,
  typeOf,
  type JsonObject,
} from '#federation/kit/json.ts'
import { readTags, type NoteEmoji } from './tags.ts'

export interface RemoteImage {
  url: string
  description: string
}

export interface RemoteActor {
  uri: string
  username: string
  /** Its handle, as it says itself (FEP-2c59). */
  webfinger: Acct | null
  type: ActorType
  /** Its own server says that it is suspended there. */
  suspended: boolean
  displayName: string
  /** Plain text. */
  note: string
  noteHtml: string
  fields: { name: string; value: string; html: string }[]
  url: string
  inboxUrl: string
  sharedInboxUrl: string | null
  outboxUrl: string | null
  followersUrl: string | null
  followingUrl: string | null
  featuredUrl: string | null
  featuredTagsUrl: string | null
  locked: boolean
  discoverable: boolean | null
  indexable: boolean
  memorial: boolean
  showMedia: boolean
  showMediaReplies: boolean
  showFeatured: boolean
  avatar: RemoteImage | null
  header: RemoteImage | null
  alsoKnownAs: string[]
  movedToUri: string | null
  attributionDomains: string[]
  publishedAt: Date | null
  emojis: NoteEmoji[]
  keys: PublishedKey[]
  /** Ids of keys that it names without showing them. */
  keyIds: string[]
}

const actorTypes = ['Person', 'Service', 'Application', 'Group', 'Organization'] as const
export type ActorType = (typeof actorTypes)[number]

const max = {
  username: 2048,
  name: 2048,
  note: 20_480,
  fields: 50,
  field: 2047,
  listed: 256,
  description: 10_000,
  keys: 10,
  attachments: 500,
}

/** The actor of a document, or null when it is none that could be an account here. Pure. */
export function readActor(document: JsonObject): RemoteActor | null {
  const uri = toText(document['id'])
  const type = readType(document)
  const username = toText(document['preferredUsername'])
  const inboxUrl = readAddress(document['inbox'])
  if (uri === null || hostOf(uri) === null || uri.includes('#') || type === null || inboxUrl === null)
    return null
  if (username === null || username.length > max.username || !isUsername(username)) return null
  return {
    uri,
    username,
    type,
    inboxUrl,
    webfinger: readWebfinger(document['webfinger']),
    suspended: toBoolean(document['suspended']),
    ...readTexts(document),
    ...readPlaces(document, uri),
    ...readSwitches(document),
    avatar: readImage(document['icon']),
    header: readImage(document['image']),
    alsoKnownAs: toIds(document['alsoKnownAs']).filter(isAddress).slice(0, max.listed),
    movedToUri: readAddress(document['movedTo']),
    attributionDomains: readDomains(document['attributionDomains']),
    publishedAt: toTime(document['published']),
    emojis: readTags(document).emojis,
    ...readKeys(document, uri),
  }
}

export const isActorDocument = (document: JsonObject) =>
  readType(document) !== null && toId(document['inbox']) !== null

/** Some have several types, of which one is known. */
function readType(document: JsonObject): ActorType | null {
  const types = toList(document['type'])
    .slice(0, 10)
    .map((one) => typeOf({ type: one }))
  return actorTypes.find((type) => types.includes(type)) ?? null
}

const isAddress = (text: string) => hostOf(text) !== null

/** An address of a server, given by itself or as what it is the id of; null for anything else. */
function readAddress(value: unknown): string | null {
  const text = toId(value)
  return text !== null && isAddress(text) ? text : null
}

/** What only the actor's own server may speak for. */
function readOwn(value: unknown, uri: string): string | null {
  const address = readAddress(value)
  return address !== null && isSameHost(address, uri) ? address : null
}

function readWebfinger(value: unknown): Acct | null {
  const acct = parseAcct((toText(value) ?? '').replace(/^acct:/i, ''))
  return acct?.domain == null ? null : acct
}

function readTexts(document: JsonObject) {
  const summary = (toText(document['summary']) ?? '').slice(0, max.note)
  return {
    displayName: truncatePlain(cleanName((toText(document['name']) ?? '').slice(0, 8 * max.name)), max.name),
    note: cleanText(stripHtml(summary)).trim(),
    noteHtml: sanitizeHtml(summary),
    fields: readFields(document['attachment']),
  }
}

function readFields(value: unknown): RemoteActor['fields'] {
  const properties = toObjects(value)
    .slice(0, max.attachments)
    .filter((one) => typeOf(one).replace(/^schema:/, '') === 'PropertyValue')
  const fields: RemoteActor['fields'] = []
  // Cleaning takes its time: no more than is shown, and not many that turn out to be empty.
  for (const property of properties.slice(0, 2 * max.fields)) {
    const field = readField(property)
    if (field.name !== '' || field.html !== '') fields.push(field)
    if (fields.length === max.fields) break
  }
  return fields
}

function readField(property: JsonObject): RemoteActor['fields'][number] {
  const html = (toText(property['value']) ?? '').slice(0, max.field)
  const name = cleanName((toText(property['name']) ?? '').slice(0, max.field))
  // A link that says where it leads is shown as links of this server are: no class hides a part of it.
  const link = readSoleLink(html)
  return {
    name,
    value: cleanText(stripHtml(html)).trim(),
    html: link === null ? sanitizeHtml(html) : renderLink(link),
  }
}

function readPlaces(document: JsonObject, uri: string) {
  const endpoints = toObject(document['endpoints'])
  const url = toUrl(document['url'])
  return {
    url: url !== null && isSameHost(url, uri) ? url : uri,
    sharedInboxUrl: readAddress(endpoints?.['sharedInbox'] ?? document['sharedInbox']),
    outboxUrl: readOwn(document['outbox'], uri),
    followersUrl: readOwn(document['followers'], uri),
    followingUrl: readOwn(document['following'], uri),
    featuredUrl: readOwn(document['featured'], uri),
    featuredTagsUrl: readOwn(document['featuredTags'], uri),
  }
}

function readSwitches(document: JsonObject) {
  const unlessFalse = (name: string) => document[name] === undefined || toBoolean(document[name])
  const discoverable = document['discoverable']
  return {
    locked: toBoolean(document['manuallyApprovesFollowers']),
    discoverable: discoverable === undefined || discoverable === null ? null : toBoolean(discoverable),
    indexable: toBoolean(document['indexable']),
    memorial: toBoolean(document['memorial']),
    showMedia: unlessFalse('showMedia'),
    showMediaReplies: unlessFalse('showRepliesInMedia'),
    showFeatured: unlessFalse('showFeatured'),
  }
}

/** An image, a link to one, or of several the first that has an address. */
function readImage(value: unknown): RemoteImage | null {
  for (const one of toList(value).slice(0, 10)) {
    const url = isObject(one) ? (toUrl(one['url']) ?? toUrl(one['href'])) : toText(one)
    if (url === null || !isAddress(url)) continue
    const text = isObject(one) ? (toText(one['summary']) ?? toText(one['name']) ?? '') : ''
    return { url, description: truncatePlain(cleanText(text).trim(), max.description) }
  }
  return null
}

function readDomains(value: unknown): string[] {
  const domains = toList(value).flatMap((one) => toText(one)?.toLowerCase() ?? [])
  return domains.filter((domain) => /^[a-z0-9.-]{1,253}$/.test(domain)).slice(0, max.listed)
}

/** Keys in both forms. A key is the actor's own when it says no other owner, and is on the actor's server. */
function readKeys(document: JsonObject, uri: string): Pick<RemoteActor, 'keys' | 'keyIds'> {
  const given = toList(document['publicKey']).slice(0, max.keys)
  const multikeys = toObjects(document['assertionMethod']).slice(0, max.keys)
  const found = [
    ...given.filter(isObject).map((key) => readKey(key, { uri, owner: 'owner' })),
    ...multikeys.map((key) => readKey(key, { uri, owner: 'controller' })),
  ]
  const keys = new Map<string, PublishedKey>()
  for (const key of found) if (key && !keys.has(key.id)) keys.set(key.id, key)
  const keyIds = given.flatMap((key) => (typeof key === 'string' && isSameHost(key, uri) ? [key] : []))
  return { keys: [...keys.values()], keyIds }
}

function readKey(key: JsonObject, { uri, owner }: { uri: string; owner: string }): PublishedKey | null {
  const id = toText(key['id'])
  const named = toId(key[owner])
  if (id === null || !isSameHost(id, uri) || (named !== null && named !== uri)) return null
  const pem = readKeyPem(key)
  return pem === null ? null : { id, pem }
}

/** The key of a key document, as PEM; null when it is malformed or must not be trusted. */
export function readKeyPem(key: JsonObject): string | null {
  const pem = toText(key['publicKeyPem'])
  const multibase = toText(key['publicKeyMultibase'])
  const read = pem !== null ? readPublicKeyPem(pem) : multibase === null ? null : decodeMultikey(multibase)
  return read?.export({ type: 'spki', format: 'pem' }).toString() ?? null
}
