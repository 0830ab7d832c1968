// What a filter may be. The texts are those of Mastodon: clients show them, and some look for them.
import { sql } from 'kysely'
import type { Tx } from '#ports/ctx.ts'
import { isOneOf } from '#lib/collections.ts'
import { foldText } from '#lib/text/matching/fold.ts'
import { invalid, problem, invalidForm } from '#lib/errors.ts'
import type { Field, Problem } from '#lib/messages/describe-error.ts'
import type { AccountId } from '#lib/id.ts'

const contexts = ['home', 'notifications', 'public', 'thread', 'account'] as const
export type FilterContext = (typeof contexts)[number]

const actions = ['warn', 'hide', 'blur'] as const
export type FilterAction = (typeof actions)[number]

const maxTitle = 256
const maxKeyword = 512
/** In seconds. What is later than that is no date that every client could read. */
const maxDuration = 100 * 365 * 86_400

/** Bounds of what a person's filters take when they are compiled and told of: far above what people write. */
const maxFilters = 1_000
const maxKeywordCharacters = 50_000
const maxStatuses = 10_000

/** What is wanted of a filter; what is not given stays as it is. */
export interface FilterInput {
  title?: string | undefined
  context?: readonly string[] | undefined
  action?: string | undefined
  /** In seconds from now; null is never. */
  expiresIn?: number | null | undefined
}

export interface FilterValues {
  title: string
  context: FilterContext[]
  action: FilterAction
  expires_at: Date | null
}

/** The values of a filter after a change. Throws `invalid` with all that is wrong with them. */
export function changedValues(before: FilterValues, input: FilterInput, now: number): FilterValues {
  const values = {
    title: input.title ?? before.title,
    context: input.context ? cleanContext(input.context) : before.context,
    action: input.action ?? before.action,
    expires_at: input.expiresIn === undefined ? before.expires_at : expiryOf(input.expiresIn, now),
  }
  const { context, action } = values
  const problems = [
    ...lengthProblems('title', values.title, maxTitle),
    ...(context.length === 0 ? [problem('context', 'blank')] : []),
    ...(isOneOf(actions, action) ? [] : [problem('action', 'not_included')]),
    ...(areContexts(context) ? [] : [problem('base', 'no_context')]),
  ]
  if (problems.length > 0 || !isOneOf(actions, action) || !areContexts(context)) throw invalidForm(problems)
  return { ...values, action, context }
}

/** Throws `invalid` when it is no keyword. `field`: what it is called. */
export function assertKeyword(keyword: string, field: Field = 'keyword'): void {
  const problems = lengthProblems(field, keyword, maxKeyword)
  if (problems.length > 0) throw invalidForm(problems)
}

function lengthProblems(field: Field, text: string, max: number): Problem[] {
  // What folds to nothing would be found everywhere.
  if (foldText(text).trim() === '') return [problem(field, 'blank')]
  return [...text].length > max ? [problem(field, 'too_long', { max })] : []
}

function cleanContext(context: readonly string[]): string[] {
  return [...new Set(context.map((word) => word.trim()).filter((word) => word !== ''))]
}

function areContexts(context: string[]): context is FilterContext[] {
  return context.length > 0 && context.every((word) => isOneOf(contexts, word))
}

function expiryOf(seconds: number | null, now: number): Date | null {
  if (seconds === null) return null
  if (Math.abs(seconds) > maxDuration) {
    throw invalid('expires_at', 'too_far')
  }
  return new Date(now + seconds * 1000)
}

/**
 * Throws `invalid` when a person's filters have become more than is kept. Keywords count as they are compiled: a single
 * character stands for up to eighteen.
 */
export async function assertRoom(tx: Tx, accountId: AccountId): Promise<void> {
  const { rows } = await sql<{ filters: number; characters: number; statuses: number }>`
    select count(*)::int as filters,
      coalesce(sum((
        select sum(greatest(length(k.keyword), length(normalize(k.keyword, NFKC)))) from filter_keywords k
        where k.filter_id = f.id)), 0)::int as characters,
      coalesce(sum((select count(*) from filter_statuses s where s.filter_id = f.id)), 0)::int as statuses
    from filters f where f.account_id = ${accountId}`.execute(tx.db)
  const { filters = 0, characters = 0, statuses = 0 } = rows[0] ?? {}
  if (filters > maxFilters) throw invalid('base', 'too_many_filters', { max: maxFilters })
  if (characters > maxKeywordCharacters)
    throw invalid('base', 'too_many_keyword_characters', { max: maxKeywordCharacters })
  if (statuses > maxStatuses) throw invalid('base', 'too_many_filtered_posts', { max: maxStatuses })
}
