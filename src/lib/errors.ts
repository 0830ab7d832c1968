// The one error type that the domain throws. Only http/kit/errors/errors.ts knows which HTTP status a code becomes.

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

/** Per-field problems of a form: field → what is wrong with it, as the Mastodon API shows in `details`. */
export type ErrorDetails = Record<string, { error: string; description: string }[]>

/**
 * An error whose `message` and `details` are safe to show to anyone.
 * `cause` is for the log only and never leaves the server.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails | undefined
  /** Seconds until it is worth trying again, where that is known. */
  readonly retryAfter: number | undefined

  constructor(
    code: ErrorCode,
    message: string,
    more: { details?: ErrorDetails; cause?: unknown; retryAfter?: number } = {},
  ) {
    super(message, 'cause' in more ? { cause: more.cause } : undefined)
    this.name = 'AppError'
    this.code = code
    this.details = more.details
    this.retryAfter = more.retryAfter
  }
}

/** Whether `error` is an AppError, and has the given code when one is named. */
export function isAppError(error: unknown, code?: ErrorCode): error is AppError {
  return error instanceof AppError && (code === undefined || error.code === code)
}

/** The request cannot be understood: a missing or malformed parameter outside a form (400). */
export const badRequest = (message = 'Bad request', cause?: unknown) =>
  new AppError('bad_request', message, { cause })

/** There is no valid token or session (401). */
export const unauthorized = (message = 'The access token is invalid') => new AppError('unauthorized', message)

/** The viewer is known but may not do this (403). */
export const forbidden = (message = 'This action is not allowed') => new AppError('forbidden', message)

/** It does not exist, or the viewer may not learn that it does (404). */
export const notFound = (message = 'Record not found') => new AppError('not_found', message)

/** Another change came first, or the thing exists already (409). */
export const conflict = (message = 'The record was changed at the same time') =>
  new AppError('conflict', message)

/** It existed and was deleted for good (410). */
export const gone = (message = 'This record is gone') => new AppError('gone', message)

/** Understood, but a rule forbids these values (422). `details` names the fields. */
export const invalid = (message: string, details?: ErrorDetails) =>
  new AppError('invalid', message, { details })

/** A rate limit is used up (429), for so many seconds. */
export const tooMany = (message = 'Too many requests', retryAfter?: number) =>
  new AppError('too_many', message, { ...(retryAfter !== undefined && { retryAfter }) })

/** Something this server depends on does not answer; trying again later may help (503). */
export const unavailable = (message = 'Remote data could not be fetched', cause?: unknown) =>
  new AppError('unavailable', message, { cause })

/** The media type or the form of the content is not one this server takes (415, or 422 in the Mastodon API). */
export const unsupported = (message = 'This type of content is not supported', cause?: unknown) =>
  new AppError('unsupported', message, { cause })

/** More bytes than the limit allows (413). */
export const tooLarge = (message = 'The request is too large') => new AppError('too_large', message)
