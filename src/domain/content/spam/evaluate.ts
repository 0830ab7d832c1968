// Which rules a post meets. Pure: what is free to know first, then what had to be asked for.
import { createWordFinder } from '#lib/text/matching/find-words.ts'
import { compareIds } from '#lib/ids.ts'
import { deobfuscateText } from '#lib/text/matching/deobfuscate-text.ts'
import { spamActions, type Conditions, type SpamAction } from './conditions.ts'
import type { PostFacts, ReadPost } from './read-post.ts'
import type { SpamRuleId } from '#lib/id.ts'

export interface SpamRule {
  readonly id: SpamRuleId
  readonly action: SpamAction
  readonly conditions: Conditions
}

/** What is known of an author, and of what a post of theirs carries and names. */
export interface AuthorFacts {
  createdAt: Date
  /** When their server was first heard of; null: never, or it is this one. */
  hostSeenAt: Date | null
  followers: number
  statuses: number
  hasAvatar: boolean
  /** Other posts of theirs in the hour before. */
  recent: number
  /** Of those that the post names. */
  strangers: number
  /** SHA-256 in hex of what was uploaded. */
  hashes: readonly string[]
}

export interface Hit {
  ruleId: SpamRuleId
  action: SpamAction
  /** Its action is what is done. */
  decisive: boolean
}

/** What becomes of a post that rules match. */
export interface SpamDecision {
  action: SpamAction
  /** All rules that match, the one that decided first. */
  hits: readonly Hit[]
}

export interface RuleSet {
  readonly size: number
  /** The rules that a post meets as far as that can be told without asking for anything. */
  sift(post: ReadPost): SpamRule[]
}

/** Compiles rules, so that the time of `sift` does not grow with the number of their words. */
export function compileRules(rules: readonly SpamRule[]): RuleSet {
  const words = rules.flatMap((rule, index) =>
    (rule.conditions.keywords ?? []).map((word) => ({ index, word })),
  )
  const find = createWordFinder(
    words.map(({ word }) => word),
    deobfuscateText,
  )
  const compiled = rules.map((rule) => ({ rule, lists: toSets(rule.conditions) }))
  return {
    size: rules.length,
    sift(post) {
      const may = compiled.filter((one) => meetsFacts(one.rule.conditions, one.lists, post))
      if (!may.some(({ rule }) => rule.conditions.keywords)) return may.map(({ rule }) => rule)
      const found = new Set([...find(post.words())].map((place) => rules[words[place]!.index]))
      return may.flatMap(({ rule }) => (!rule.conditions.keywords || found.has(rule) ? [rule] : []))
    },
  }
}

interface Lists {
  domains: ReadonlySet<string>
  hashes: ReadonlySet<string>
}

const toSets = ({ link_domains = [], media_hashes = [] }: Conditions): Lists => ({
  domains: new Set(link_domains),
  hashes: new Set(media_hashes),
})

/** All but the words. */
function meetsFacts(conditions: Conditions, lists: Lists, post: ReadPost): boolean {
  const { facts } = post
  return (
    meetsForm(conditions, facts) &&
    (conditions.media_hashes === undefined || mayCarry(lists.hashes, facts)) &&
    (conditions.links_at_least === undefined || post.linkHosts().length >= conditions.links_at_least) &&
    (conditions.link_domains === undefined || post.allHosts().some((host) => isBelow(host, lists.domains)))
  )
}

function meetsForm(conditions: Conditions, facts: PostFacts): boolean {
  const { origin, reply, visibilities, mentions_at_least: mentions } = conditions
  if (origin !== undefined && facts.local !== (origin === 'local')) return false
  if (conditions.host_age_hours_below !== undefined && facts.local) return false
  if (reply !== undefined && facts.reply !== reply) return false
  if (visibilities !== undefined && !visibilities.includes(facts.visibility)) return false
  if (mentions !== undefined && facts.mentions < mentions) return false
  return facts.mentionedIds.length >= (conditions.strangers_mentioned_at_least ?? 0)
}

/** The sums of what was uploaded here have to be asked for. */
const mayCarry = (hashes: ReadonlySet<string>, { blurhashes, mediaIds }: PostFacts) =>
  mediaIds.length > 0 || blurhashes.some((hash) => hashes.has(hash))

function isBelow(host: string, domains: ReadonlySet<string>): boolean {
  for (let at = 0; at !== -1;) {
    if (domains.has(host.slice(at))) return true
    const dot = host.indexOf('.', at)
    at = dot === -1 ? -1 : dot + 1
  }
  return false
}

const asked: readonly (keyof Conditions)[] = [
  'account_age_hours_below',
  'host_age_hours_below',
  'followers_below',
  'statuses_below',
  'strangers_mentioned_at_least',
  'posts_per_hour_at_least',
  'no_avatar',
]

/** Whether a rule that was sifted out still depends on something that has to be asked for. */
export function needsAuthor({ conditions }: SpamRule, { local }: PostFacts): boolean {
  return (
    asked.some((name) => conditions[name] !== undefined) || (local && conditions.media_hashes !== undefined)
  )
}

const hour = 3_600_000

/** Whether a rule that was sifted out holds for its author, too. */
export function holdsFor({ conditions }: SpamRule, post: PostFacts, author: AuthorFacts): boolean {
  const isYounger = (since: Date | null, hours: number | undefined) =>
    hours === undefined || since === null || post.at - since.getTime() < hours * hour
  const { media_hashes: hashes, no_avatar: noAvatar } = conditions
  return (
    isYounger(author.createdAt, conditions.account_age_hours_below) &&
    isYounger(author.hostSeenAt, conditions.host_age_hours_below) &&
    author.followers < (conditions.followers_below ?? Infinity) &&
    author.statuses < (conditions.statuses_below ?? Infinity) &&
    author.strangers >= (conditions.strangers_mentioned_at_least ?? 0) &&
    author.recent + 1 >= (conditions.posts_per_hour_at_least ?? 0) &&
    (noAvatar === undefined || author.hasAvatar !== noAvatar) &&
    (hashes === undefined || !post.local || hashes.some((hash) => author.hashes.includes(hash)))
  )
}

/** The strictest action wins, whatever the order of the rules; of equals that of the oldest rule. Null without any. */
export function decide(matching: readonly SpamRule[]): SpamDecision | null {
  const strictness = (rule: SpamRule) => spamActions.indexOf(rule.action)
  const sorted = matching.toSorted((a, b) => strictness(b) - strictness(a) || compareIds(a.id, b.id))
  const [first] = sorted
  if (!first) return null
  const hits = sorted.map(({ id, action }, index) => ({ ruleId: id, action, decisive: index === 0 }))
  return { action: first.action, hits }
}
