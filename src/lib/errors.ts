// The one error type that the domain throws: a code, and why, which has words in message catalogues. Only
// http/kit/errors/errors.ts knows which HTTP status a code becomes, and in which language it is told.
import {
  describeReason,
  type Field,
  type Problem,
  type Reason,
  type SentenceCode,
} from './messages/describe-error.ts'
import { source, type Params } from './messages/catalogue.ts'
import type { Messages, Say } from './messages/messages.ts'

/** What went wrong, independent of any protocol. */
export type ErrorCode =
  | 'bad_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'gone'
  | 'invalid'
  | 'timed_out'
  | 'too_many'
  | 'unavailable'
  | 'unsupported'
  | 'too_large'
  | 'internal'

interface More {
  cause?: unknown
  /** Seconds until it is worth trying again, where that is known. */
  retryAfter?: number
}

/**
 * An error whose `reason` is safe to show to anyone. `message` says it in English, for logs and the command line.
 * `cause` is for the log only and never leaves the server.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly reason: Reason
  /** Seconds until it is worth trying again, where that is known. */
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, reason: Reason, more: More = {}) {
    super(describeReason(reason, source), 'cause' in more ? { cause: more.cause } : undefined)
    this.name = 'AppError'
    this.code = code
    this.reason = reason
    this.retryAfter = more.retryAfter
  }
}

/** Whether `error` is an AppError, and has the given code when one is named. */
export function isAppError(error: unknown, code?: ErrorCode): error is AppError {
  return error instanceof AppError && (code === undefined || error.code === code)
}

/** What is put into a message, if anything is. */
export type ParamsOf<T> = T extends Say<infer Params> ? [params: Params] : [params?: undefined]
type Told<T> = [...ParamsOf<T>, more?: More]
/** What has passed these types. */
type Untyped = [params?: Params, more?: More]
type Sentences = Messages['errors']['sentences']

/** A sentence of the catalogue with what is put into it. */
export const sentence = <C extends SentenceCode>(code: C, ...told: ParamsOf<Sentences[C]>): Reason => ({
  sentence: code,
  params: told[0],
})

const refusal =
  <D extends SentenceCode>(code: ErrorCode, usual: D) =>
  <C extends SentenceCode = D>(said: C = usual as unknown as C, ...told: Told<Sentences[C]>): AppError => {
    const [params, more] = told as unknown as Untyped
    return new AppError(code, { sentence: said, params }, more)
  }

/** The request cannot be understood: a missing or malformed parameter outside a form (400). */
export const badRequest = refusal('bad_request', 'bad_request')

/** There is no valid token or session (401). */
export const unauthorized = refusal('unauthorized', 'token_invalid')

/** The viewer is known but may not do this (403). */
export const forbidden = refusal('forbidden', 'not_allowed')

/** It does not exist, or the viewer may not learn that it does (404). */
export const notFound = refusal('not_found', 'record_not_found')

/** The request took longer than it may (408). */
export const timedOut = refusal('timed_out', 'request_timed_out')

/** Another change came first, or the thing exists already (409). */
export const conflict = refusal('conflict', 'changed_meanwhile')

/** It existed and was deleted for good (410). */
export const gone = refusal('gone', 'record_gone')

/** Understood, but it cannot be done (422), in a sentence. Of values that a rule forbids, `invalid` tells more. */
export const unprocessable = refusal('invalid', 'unspecified_validation')

/** A rate limit is used up (429), for so many seconds. */
export const tooMany = refusal('too_many', 'too_many_requests')

/** Something this server depends on does not answer; trying again later may help (503). */
export const unavailable = refusal('unavailable', 'remote_data_unavailable')

/** The media type or the form of the content is not one this server takes (415, or 422 in the Mastodon API). */
export const unsupported = refusal('unsupported', 'unsupported_content')

/** More bytes than the limit allows (413). */
export const tooLarge = refusal('too_large', 'request_too_large')

/** What may be wrong with a field; `base` are sentences that are about none. */
type Problems<F extends string> = F extends 'base'
  ? Messages['errors']['base']
  : Messages['errors']['problems']
type Codes<F extends string> = keyof Problems<F> & string

/** What may be wrong with the value of a field, and what is wrong with no single one. */
export type ProblemCode = Codes<Field>
export type BaseCode = Codes<'base'>

/** One thing that is wrong with a value of this name; with `base` instead of a name, with all of it. */
export function problem<F extends Field | 'base', C extends Codes<F>>(
  field: F,
  code: C,
  ...told: ParamsOf<Problems<F>[C]>
): Problem {
  const [params] = told as unknown as Untyped
  return { field: field === 'base' ? null : field, code, params }
}

/** Understood, but a rule forbids this value (422): `invalid('text', 'too_long', { max: 500 })`. */
export function invalid<F extends Field | 'base', C extends Codes<F>>(
  field: F,
  code: C,
  ...told: Told<Problems<F>[C]>
): AppError {
  const [params, more] = told as unknown as Untyped
  const problems: readonly Problem[] = [{ field: field === 'base' ? null : field, code, params }]
  return new AppError('invalid', { problems }, more)
}

/** Understood, but rules forbid several values (422). */
export const invalidForm = (problems: readonly Problem[]): AppError => new AppError('invalid', { problems })
