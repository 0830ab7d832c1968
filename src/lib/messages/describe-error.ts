// Words for what the domain refuses. It throws codes with parameters; here they become sentences, in the language of
// whoever is told, and in English for logs and the command line.
import { source, type Language, type Params } from './catalogue.ts'
import type { Messages } from './messages.ts'
import { textsIn } from './texts.ts'

type Errors = Messages['errors']

/** The name of a value that somebody sent, as the catalogue has it. */
export type Field = keyof Errors['fields']
/** The code of a whole sentence. */
export type SentenceCode = keyof Errors['sentences']

/** One thing that is wrong with what was sent. Plain data. */
export interface Problem {
  /** What was sent: a name of the catalogue, or one that stays as it is. Null: the problem is a sentence of its own. */
  readonly field: string | null
  readonly code: string
  readonly params?: Params | undefined
  /** Under which field and code apps find it in `details`; `named`: there too it begins with what it is about. */
  readonly detail?: Detail | undefined
}

interface Detail {
  readonly field: string
  readonly error: string
  readonly named?: true
}

/** Why something was refused: a sentence, all that is wrong with what was sent, or a text that was kept as it was said. */
export type Reason =
  | { readonly sentence: string; readonly params?: Params | undefined }
  | { readonly problems: readonly Problem[] }
  | { readonly said: string }
  /** What is wrong with something that has a name of its own, and all that is wrong. */
  | { readonly about: string; readonly reason: Reason }
  | { readonly reasons: readonly Reason[] }

/** Per-field problems of a form: field → what is wrong with it, as the Mastodon API shows in `details`. */
export type ErrorDetails = Record<string, { error: string; description: string }[]>

/** Returns what a reason says, in a language. */
export function describeReason(reason: Reason, language: Language): string {
  if ('said' in reason) return reason.said
  if ('about' in reason) return `${reason.about}: ${describeReason(reason.reason, language)}`
  if ('reasons' in reason) return reason.reasons.map((one) => describeReason(one, language)).join('; ')
  const { errors } = textsIn(language)
  if ('sentence' in reason) return messageOf(errors.sentences, reason.sentence, reason.params)
  return errors.validation_failed({ problems: describeProblems(reason, language) })
}

/** Returns the same without the words that say that something is wrong at all, for a form that shows it beside itself. */
export function describeProblems(reason: Reason, language: Language): string {
  if (!('problems' in reason)) return describeReason(reason, language)
  return reason.problems.map((problem) => describeProblem(problem, language)).join(', ')
}

/** Returns what is wrong by the names of the fields, without these, for a form that shows it at each; `base`: all else. */
export function describeFields(reason: Reason, language: Language): Record<string, string> {
  if (!('problems' in reason)) return { base: describeReason(reason, language) }
  const texts = new Map<string, string[]>()
  for (const problem of reason.problems) {
    const field = problem.field ?? 'base'
    texts.set(field, [...(texts.get(field) ?? []), describe(problem, language)])
  }
  return Object.fromEntries([...texts].map(([field, all]) => [field, all.join(', ')]))
}

/** Returns what is wrong with each field that has a code for apps, or undefined where none has. */
export function describeDetails(reason: Reason, language: Language): ErrorDetails | undefined {
  const details: ErrorDetails = {}
  for (const problem of 'problems' in reason ? reason.problems : []) {
    if (!problem.detail) continue
    const { field, error, named } = problem.detail
    const description = named ? describeProblem(problem, language) : describe(problem, language)
    ;(details[field] ??= []).push({ error, description })
  }
  return Object.keys(details).length === 0 ? undefined : details
}

/** Returns one thing that is wrong, with what it is about. */
export function describeProblem(problem: Problem, language: Language): string {
  const { errors } = textsIn(language)
  const text = describe(problem, language)
  if (problem.field === null) return text
  return errors.field_problem({ field: nameField(problem.field, language), problem: text })
}

/** What is wrong, without what it is about. */
function describe({ field, code, params }: Problem, language: Language): string {
  const { base, problems } = textsIn(language).errors
  return messageOf(field === null ? base : problems, code, params)
}

/** Whether the catalogue has words for a value of this name. */
export const isField = (name: string): name is Field => Object.hasOwn(textsIn(source).errors.fields, name)

function nameField(field: string, language: Language): string {
  return isField(field) ? textsIn(language).errors.fields[field] : field
}

/** Returns the message of this code among others of a catalogue. */
export function messageOf(texts: object, code: string, params: Params = {}): string {
  const text = (texts as Record<string, string | ((params: Params) => string) | undefined>)[code]
  return typeof text === 'function' ? text(params) : (text ?? code)
}
