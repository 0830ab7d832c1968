import { invalidForm, problem } from '#lib/errors.ts'
import type { Problem } from '#lib/messages/describe-error.ts'

/** Which replies to others a list shows: to anybody its owner follows, to its members, or none. */
const repliesPolicies = ['followed', 'list', 'none'] as const
export type RepliesPolicy = (typeof repliesPolicies)[number]

/** Lists that one account may have. */
export const maxLists = 50
const maxTitleLength = 256

/** What clients send about a list. What is not given stays as it is, or has its default. */
export interface ListInput {
  title?: string | undefined
  repliesPolicy?: string | undefined
  exclusive?: boolean | undefined
}

/** The same, held against the rules. */
export interface ListChanges {
  title?: string | undefined
  repliesPolicy?: RepliesPolicy | undefined
  exclusive?: boolean | undefined
}

/** Tells all that is wrong at once. Throws `invalid`. */
export function checkList(input: ListInput): ListChanges {
  const { title, repliesPolicy, exclusive } = input
  const problems = [...titleProblems(title), ...policyProblems(repliesPolicy)]
  if (problems.length > 0) throw invalidForm(problems)
  return { title, repliesPolicy: repliesPolicy as RepliesPolicy | undefined, exclusive }
}

function titleProblems(title: string | undefined): Problem[] {
  if (title === undefined) return []
  if (title.trim() === '') return [problem('title', 'blank')]
  return [...title].length > maxTitleLength ? [problem('title', 'too_long', { max: maxTitleLength })] : []
}

function policyProblems(policy: string | undefined): Problem[] {
  const known = policy === undefined || (repliesPolicies as readonly string[]).includes(policy)
  return known ? [] : [problem('replies_policy', 'not_included')]
}
