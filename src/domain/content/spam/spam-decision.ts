import type { Reader } from '#ports/ctx.ts'
import { getActiveRules } from './active-rules.ts'
import { loadAuthorFacts } from './author-facts.ts'
import { decide, holdsFor, needsAuthor, type SpamRule, type SpamDecision } from './evaluate.ts'
import { readPost, type PostFacts } from './read-post.ts'

/**
 * What the rules against spam make of a post; null: nothing. Nothing is asked for while no rule may match by what is at
 * hand, and one query at most. `collect` is called only when there are rules at all, and `count` before a rule asks how many
 * posts or followers the author has. Staff are not to be judged: the caller knows them.
 */
export async function checkSpam(
  reader: Reader,
  collect: () => PostFacts,
  count?: () => Promise<void>,
): Promise<SpamDecision | null> {
  const rules = await getActiveRules(reader)
  if (rules.size === 0) return null
  const facts = collect()
  const possible = rules.sift(readPost(facts))
  const open = possible.filter((rule) => needsAuthor(rule, facts))
  if (open.length === 0) return decide(possible)
  if (open.some(asksForCounts)) await count?.()
  const [author] = await loadAuthorFacts(reader, open, [facts])
  const matching = possible.filter(
    (rule) => !needsAuthor(rule, facts) || (author && holdsFor(rule, facts, author)),
  )
  return decide(matching)
}

const asksForCounts = ({ conditions }: SpamRule) =>
  conditions.followers_below !== undefined || conditions.statuses_below !== undefined
