// What rules look at in a post that is at hand: nothing is asked for here.
import { normaliseDomain } from '#lib/acct.ts'
import { foldParts } from '#lib/text/matching/find-words.ts'
import { escapeHtml, stripHtml } from '#lib/html/html.ts'
import { extractLinks } from '#lib/text/links.ts'
import { readHtml } from '#lib/html/read-html.ts'
import { deobfuscateText } from '#lib/text/matching/deobfuscate-text.ts'
import type { RuleVisibility } from './conditions.ts'
import type { AccountId, MediaId, StatusId } from '#lib/id.ts'

/** A post that is judged: a new one, an edit, or one of the past. */
export interface PostFacts {
  local: boolean
  accountId: AccountId
  /** HTML. */
  content: string
  /** Plain texts beside it: the warning, the options of a poll, what describes the media. */
  texts: readonly string[]
  /** Known accounts that it names, but for its author. */
  mentionedIds: readonly AccountId[]
  /** How many it names, known or not. */
  mentions: number
  reply: boolean
  /** What it answers, if that is known here. */
  parentId: StatusId | null
  visibility: RuleVisibility
  /** The host of what it quotes. */
  quotedHost: string | null
  /** Of files that were uploaded here. */
  mediaIds: readonly MediaId[]
  blurhashes: readonly string[]
  /** The post itself, when it is stored already. */
  statusId: StatusId | null
  /** When it is written, in milliseconds. */
  at: number
}

/** A post whose parts are read when a rule asks for them, and once. */
export interface ReadPost {
  readonly facts: PostFacts
  /** All texts, as `foldParts` makes them by `deobfuscateText`. */
  words(): string
  /** The hosts of all links, one for each address, but for mentions, hashtags and what stands for a quote. */
  linkHosts(): readonly string[]
  /** With those, too, where another server made them. */
  allHosts(): readonly string[]
}

export function readPost(facts: PostFacts): ReadPost {
  const plain = once(() => stripHtml(facts.content))
  const anchors = once(() => anchorsOf(facts))
  const linkHosts = once(() => {
    const { links, quoted } = anchors()
    return hostsOf([...links, ...written([plain(), ...facts.texts]).filter((url) => url !== quoted)])
  })
  return {
    facts,
    words: once(() => foldParts([plain(), ...shownOf(facts.content), ...facts.texts], deobfuscateText)),
    linkHosts,
    allHosts: once(() => (facts.local ? linkHosts() : [...linkHosts(), ...hostsOf(anchors().disguised)])),
  }
}

/** Elements without an end. */
const empty = new Set(['br', 'hr', 'img', 'wbr'])

/** The text without what clients hide, which may stand within words; none where nothing is hidden. */
function shownOf(html: string): string[] {
  if (!html.includes('invisible')) return []
  let shown = ''
  /** How many elements are open from the one on that is hidden: every one that begins here ends, too. */
  let hidden = 0
  readHtml(html, {
    open(name, attributes) {
      const isHidden = (attributes.get('class') ?? '').split(/\s+/).includes('invisible')
      if (hidden === 0 && !isHidden) shown += `<${name}>`
      else if (!empty.has(name)) hidden += 1
    },
    close(name) {
      if (hidden === 0) shown += `</${name}>`
      else hidden -= 1
    },
    text(text) {
      if (hidden === 0) shown += escapeHtml(text)
    },
    isForeign: () => false,
  })
  return [stripHtml(shown)]
}

/** What is for a few beside those it names is as private as people see it. */
export function toRuleVisibility(visibility: string): RuleVisibility {
  return visibility === 'public' || visibility === 'unlisted' || visibility === 'direct'
    ? visibility
    : 'private'
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}

/** Addresses that are written out: some servers make no links of them, and a warning has none. */
const written = (texts: readonly string[]) =>
  texts.flatMap((text) => (text.includes('://') ? extractLinks(text).map((link) => link.url) : []))

function hostsOf(addresses: readonly string[]): string[] {
  const hosts = new Map<string, string>()
  for (const address of addresses) {
    const url = URL.parse(address)
    const host = url && /^https?:$/.test(url.protocol) ? normaliseDomain(url.hostname) : null
    if (url && host !== null) hosts.set(url.href, host)
  }
  return [...hosts.values()]
}

interface Anchors {
  links: string[]
  quoted: string | null
  disguised: string[]
}

/**
 * Where links of HTML lead. Those that say that they are mentions or hashtags are none only if they look like that, too.
 * `quoted`: the one that people on other servers see in place of a quote, which is none if something there is quoted.
 * `disguised`: what is none for these reasons.
 */
function anchorsOf({ content, quotedHost }: PostFacts): Anchors {
  const links: string[] = []
  const disguised: string[] = []
  let quoted: string | null = null
  let quoting = false
  /** A link that calls itself a mention, until its text begins. */
  let claimed: string | null = null
  readHtml(content, {
    open(name, attributes) {
      const classes = (attributes.get('class') ?? '').split(/\s+/)
      if (classes.includes('quote-inline')) quoting = true
      const href = attributes.get('href')
      if (name !== 'a' || !href) return
      if (quoting && quoted === null && quotedHost !== null && URL.parse(href)?.host === quotedHost)
        disguised.push((quoted = href))
      else if (classes.includes('mention') || classes.includes('hashtag')) claimed = href
      else links.push(href)
    },
    close(name) {
      if (name === 'p') quoting = false
      if (name === 'a') claimed = null
    },
    text(text) {
      if (claimed === null || text.trim() === '') return
      const isLike = /^\s*[@#＠＃]/.test(text)
      ;(isLike ? disguised : links).push(claimed)
      claimed = null
    },
    isForeign: () => false,
  })
  return { links, quoted, disguised }
}
