// Reads the cases and puts addresses and names where they have placeholders: see README.md.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Json } from '#test/client/client.ts'
import type { JsonObject } from '../../support/peer/documents.ts'

export interface Case {
  /** Who sends such things. */
  readonly server: string
  readonly about: string
  readonly local?: Arrangement
  /** What the other servers answer, by address. */
  readonly documents: Record<string, JsonObject>
  /** Delivered before, in this order. */
  readonly before?: readonly JsonObject[]
  /** What has changed on the other servers when `activity` is delivered. */
  readonly after?: Record<string, JsonObject>
  /** What is delivered. Without one, looking somebody up is all there is. */
  readonly activity?: JsonObject
  /** Everything is delivered to the personal inbox, not to the shared one. */
  readonly inbox?: 'alice'
  readonly expect: Expectation
}

/** What alice, who lives here, has done. */
export interface Arrangement {
  /** Actors that accepted. */
  readonly follows?: readonly string[]
  /** Actors that have not answered yet. */
  readonly requests?: readonly string[]
  /** Handles. */
  readonly looksUp?: readonly string[]
  readonly locked?: boolean
  /** Her posts by names of their own, as the API takes them. */
  readonly posts?: Record<string, JsonObject>
}

/**
 * What alice sees afterwards. Objects name what they must contain, lists are whole; statuses and posts are meant by
 * their URIs, accounts by their handles.
 */
export interface Expectation {
  /** Null: not to be had. `in_reply_to` is the URI of what is answered. */
  readonly statuses?: Record<string, JsonObject | null>
  /** Not shown to others. */
  readonly hidden?: readonly string[]
  readonly accounts?: Record<string, JsonObject | null>
  readonly relationships?: Record<string, JsonObject>
  /** Newest first. */
  readonly notifications?: readonly JsonObject[]
  readonly posts?: Record<string, JsonObject>
  /** What an account boosted, newest first. */
  readonly boosts?: Record<string, readonly string[]>
  /** What an account wrote, newest first. */
  readonly timeline?: Record<string, readonly string[]>
  readonly pinned?: Record<string, readonly string[]>
  readonly featuredTags?: Record<string, readonly string[]>
  /** About alice, with the URIs of the statuses. */
  readonly reports?: readonly JsonObject[]
  /** What the other servers were sent because of what they delivered. */
  readonly sent?: readonly JsonObject[]
}

export interface NamedCase {
  /** `misskey/note-mfm`: the file. */
  readonly name: string
  readonly title: string
  readonly source: Case
}

/** All cases by name. */
export function readCases(): NamedCase[] {
  const root = import.meta.dirname
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.json'),
  )
  return files.toSorted().map((file) => {
    const source = JSON.parse(readFileSync(path.join(root, file), 'utf8')) as Case
    const name = file.replace(/\.json$/, '')
    return { name, title: `${name}: ${source.server}, ${source.about}`, source }
  })
}

/** What is delivered, and about what: cases of one kind go the same way through the program. */
function kindOf({ activity }: Case): string {
  const typeOf = (value: Json): string => [value].flat()[0]?.type ?? typeof value
  return activity ? `${activity['type']} ${typeOf(activity['object'])}` : 'looked up'
}

/** The first case of each kind and of each server, in their order. */
export function oneOfEach(cases: readonly NamedCase[]): NamedCase[] {
  const seen = new Set<string>()
  return cases.filter(({ name, source }) => {
    const kinds = [kindOf(source), `of ${name.split('/')[0]}`].filter((one) => !seen.has(one))
    for (const one of kinds) seen.add(one)
    return kinds.length > 0
  })
}

/** What stands for a placeholder, and for what it is not known yet it stays. */
export type Names = ReadonlyMap<string, string>

/** The same value with all placeholders filled, in keys too. */
export function fill<T>(value: T, names: Names): T {
  if (typeof value === 'string') return fillText(value, names) as T
  if (Array.isArray(value)) return value.map((item) => fill(item, names)) as T
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).map(([key, item]) => [fillText(key, names), fill(item, names)])
  return Object.fromEntries(entries) as T
}

function fillText(text: string, names: Names): string {
  const filled = text.replaceAll(/\{([A-Z_]+(?::[a-z]+)?)\}/g, (whole, name) => names.get(name) ?? whole)
  return filled.replaceAll(/\{LINK:([^}]+)\}/g, (_, url: string) => shownLink(url))
}

/** A link as Mastodon shows an address: the scheme and what is beyond 30 characters only for those who copy it. */
function shownLink(url: string): string {
  const [scheme = ''] = /^https?:\/\/(?:www\.)?/.exec(url) ?? []
  const visible = url.slice(scheme.length, scheme.length + 30)
  const rest = url.slice(scheme.length + 30)
  const spans =
    `<span class="invisible">${scheme}</span><span class="${rest ? 'ellipsis' : ''}">${visible}</span>` +
    `<span class="invisible">${rest}</span>`
  return `<a href="${url}" rel="nofollow noopener" target="_blank" translate="no">${spans}</a>`
}

/** The id of what may be an id or a whole object. */
export function idOf(value: Json): string {
  const [first] = [value].flat()
  return typeof first === 'string' ? first : first.id
}
