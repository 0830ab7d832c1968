// What a filter may be. The texts are those of Mastodon: clients show them, and some look for them.
import { sql } from 'kysely'
import type { Tx } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import { isOneOf } from '#lib/collections.ts'
import { invalid } from '#lib/errors.ts'
import { foldText } from '#lib/text/matching/fold.ts'

const contexts = ['home', 'notifications', 'public', 'thread', 'account'] as const
export type FilterContext = (typeof contexts)[number]

const actions = ['warn', 'hide', 'blur'] as const

const maxTitle = 256
const maxKeyword = 512
/** In seconds. What is later than that is no date that every client could read. */
const maxDuration = 100 * 365 * 86_400

/** Bounds of what a person's filters take when they are compiled and told of: far above what people write. */
const mostFilters = 1_000
const mostKeywordCharacters = 50_000
const mostStatuses = 10_000

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
  context: string[]
  action: string
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
  const problems = [
    ...lengthProblems('Title', values.title, maxTitle),
    ...(values.context.length === 0 ? ["Context can't be blank"] : []),
    ...(isOneOf(actions, values.action) ? [] : ['Action is not included in the list']),
    ...(areContexts(values.context) ? [] : ['Context None or invalid context supplied']),
  ]
  if (problems.length > 0) throw invalid(`Validation failed: ${problems.join(', ')}`)
  return values
}

/** Throws `invalid` when it is no keyword. `label`: what the text calls it. */
export function assertKeyword(keyword: string, label = 'Keyword'): void {
  const [problem] = lengthProblems(label, keyword, maxKeyword)
  if (problem) throw invalid(`Validation failed: ${problem}`)
}

function lengthProblems(label: string, text: string, most: number): string[] {
  // What folds to nothing would be found everywhere.
  if (foldText(text).trim() === '') return [`${label} can't be blank`]
  return [...text].length > most ? [`${label} is too long (maximum is ${most} characters)`] : []
}

function cleanContext(context: readonly string[]): string[] {
  return [...new Set(context.map((word) => word.trim()).filter((word) => word !== ''))]
}

function areContexts(context: readonly string[]): boolean {
  return context.length > 0 && context.every((word) => isOneOf(contexts, word))
}

function expiryOf(seconds: number | null, now: number): Date | null {
  if (seconds === null) return null
  if (Math.abs(seconds) > maxDuration) {
    throw invalid('Validation failed: Expires at is too far into the future')
  }
  return new Date(now + seconds * 1000)
}

/**
 * Throws `invalid` when a person's filters have become more than is kept. Keywords count as they are compiled: a single
 * character stands for up to eighteen.
 */
export async function assertRoom(tx: Tx, accountId: Id): Promise<void> {
  const { rows } = await sql<{ filters: number; characters: number; statuses: number }>`
    select count(*)::int as filters,
      coalesce(sum((
        select sum(greatest(length(k.keyword), length(normalize(k.keyword, NFKC)))) from filter_keywords k
        where k.filter_id = f.id)), 0)::int as characters,
      coalesce(sum((select count(*) from filter_statuses s where s.filter_id = f.id)), 0)::int as statuses
    from filters f where f.account_id = ${accountId}`.execute(tx.db)
  const { filters = 0, characters = 0, statuses = 0 } = rows[0] ?? {}
  if (filters > mostFilters) throw tooMany(`${mostFilters} filters`)
  if (characters > mostKeywordCharacters) throw tooMany(`${mostKeywordCharacters} characters of keywords`)
  if (statuses > mostStatuses) throw tooMany(`${mostStatuses} filtered posts`)
}

const tooMany = (limit: string) => invalid(`Validation failed: You have exceeded the limit of ${limit}`)
