import { AppError, type ErrorCode, notFound, unprocessable, unavailable } from '#lib/errors.ts'
import type { Log } from '#ports/log.ts'
import { retryLater } from '#lib/net/retry-after.ts'
import type { Language } from '#lib/messages/catalogue.ts'
import { describeDetails, describeReason } from '#lib/messages/describe-error.ts'
import { textsIn } from '#lib/messages/texts.ts'

/** The only place that knows status numbers. */
const statuses: Record<ErrorCode, number> = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  timed_out: 408,
  conflict: 409,
  gone: 410,
  too_large: 413,
  unsupported: 422,
  invalid: 422,
  too_many: 429,
  internal: 500,
  unavailable: 503,
}

/** The status number of what an operation explains in a body of its own. */
export const statusOf = ({ code }: AppError): number => statuses[code]

export interface ErrorAnswer {
  status: number
  body: Record<string, unknown>
  headers: Record<string, string>
}

/** What is refused is so for this caller, and told in their language. */
export const refusalHeaders = {
  'cache-control': 'private, no-store',
  vary: 'Authorization, Origin, Accept-Language, Accept-Encoding',
}

/** SQLSTATE classes that say the database cannot be used just now. */
const databaseAway = /^(08|53|57P)|^ECONN|^EPIPE$|^ETIMEDOUT$|^EHOST|^ENET/
/** The driver's own words, which carry no code. */
const connectionBroken =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error/
const diskFull = /^(ENOSPC|EDQUOT|EROFS|53100)$/
const tooManyFiles = /^(EMFILE|ENFILE)$/
const uniqueViolation = '23505'
const foreignKeyViolation = '23503'

/** Which request failed, and the language of who sent it. */
export interface FailedRequest {
  requestId: string
  language: Language
}

/** What a client is told. Causes and unknown errors go to the log only. */
export function answerError(error: unknown, log: Log, { requestId, language }: FailedRequest): ErrorAnswer {
  const known = error instanceof AppError ? error : translate(error)
  if (known) {
    // What the operator has to see to; the rest of causes is a matter between us and the client.
    const exhausted = exhaustion(known.cause)
    if (exhausted) log.error({ requestId, cause: messageOf(known.cause) }, exhausted)
    else if (known.cause) log.info({ requestId, cause: messageOf(known.cause) }, known.message)
    return answer(known, language)
  }
  log.error({ requestId, error: messageOf(error), stack: stackOf(error) }, 'unhandled error')
  const text = textsIn(language).errors.sentences.internal
  return { status: 500, body: { error: text }, headers: {} }
}

function answer(error: AppError, language: Language): ErrorAnswer {
  const status = statuses[error.code]
  const details = describeDetails(error.reason, language)
  const body = { error: describeReason(error.reason, language), ...(details && { details }) }
  return { status, body, headers: headersOf(status, error) }
}

function headersOf(status: number, { message, retryAfter }: AppError): Record<string, string> {
  if (status === 503) return retryLater
  if (status === 429 && retryAfter !== undefined) return { 'retry-after': String(retryAfter) }
  if (status !== 401) return {}
  const described = `error="invalid_token", error_description="${quotable(message)}"`
  return { 'www-authenticate': `Bearer realm="Stonechat", ${described}` }
}

/** As much of a text as fits between quotes in a header. */
const quotable = (text: string) => text.replace(/[^\x20-\x7e]|["\\]/g, '')

function translate(error: unknown): AppError | null {
  const code = String((error as { code?: unknown } | null)?.code ?? '')
  if (code === uniqueViolation) return unprocessable('duplicate_record', undefined, { cause: error })
  if (code === foreignKeyViolation) return notFound(undefined, undefined, { cause: error })
  if (exhaustion(error)) {
    return unavailable('no_room', undefined, { cause: error })
  }
  // The embedded database's socket is a file.
  const noSocket = code === 'ENOENT' && (error as NodeJS.ErrnoException).syscall === 'connect'
  if (noSocket || databaseAway.test(code) || connectionBroken.test(messageOf(error))) {
    return unavailable('temporary_problem', undefined, { cause: error })
  }
  return null
}

/** What of the machine is used up, as the operator reads it. */
function exhaustion(error: unknown): string | null {
  const code = String((error as { code?: unknown } | null)?.code)
  if (diskFull.test(code)) return 'the disk is full'
  return tooManyFiles.test(code)
    ? 'too many files are open: raise the limit of the process (ulimit -n)'
    : null
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function stackOf(error: unknown): string | undefined {
  return error instanceof Error ? error.stack : undefined
}
