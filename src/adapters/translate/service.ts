// What the adapters of translation services share.

import { unavailable } from '#lib/errors.ts'
import { parseLanguage } from '#lib/text/language.ts'
import type { Clock } from '#ports/clock.ts'
import type { HttpClient } from '#ports/http-client.ts'

export interface ServiceOptions {
  http: HttpClient
  clock: Clock
  /** Base URL of the service, without a trailing slash. */
  endpoint: string
  apiKey: string | null
}

export interface ServiceRequest {
  /** Under the base URL, with its query. */
  path: string
  headers?: Record<string, string>
  /** Sent as JSON by POST; without it the request is a GET. */
  body?: object
}

const maxAnswer = 4 * 1024 * 1024
const timeout = 20_000
const failed = (cause: unknown) => unavailable('temporary_problem', undefined, { cause })

/**
 * Asks the service and answers its JSON. Rejects with AppError `unavailable` when there is no answer, or one of
 * another status than 2xx; the cause, for the log, has no keys in it.
 */
export async function askService(options: ServiceOptions, request: ServiceRequest): Promise<unknown> {
  const response = await options.http
    .send({
      url: `${options.endpoint}${request.path}`,
      method: request.body ? 'POST' : 'GET',
      headers: {
        accept: 'application/json',
        ...(request.body && { 'content-type': 'application/json' }),
        ...request.headers,
      },
      ...(request.body && { body: JSON.stringify(request.body) }),
      maxBytes: maxAnswer,
      timeout,
      // It would be told the key.
      redirects: 0,
    })
    .catch((error: unknown) => {
      throw failed(error)
    })
  const { status } = response
  if (status === 429) throw unavailable('translation_too_many', undefined, { cause: refusal(status) })
  // 456 is DeepL's, 403 LibreTranslate's.
  if (status === 456 || status === 403)
    throw unavailable('translation_quota_used', undefined, { cause: refusal(status) })
  if (status < 200 || status > 299) throw failed(refusal(status))
  try {
    return JSON.parse(response.body.toString('utf8')) as unknown
  } catch (error) {
    throw failed(error)
  }
}

const refusal = (status: number) => new Error(`the translation service answered ${status}`)

/** The service answered something that is none of its documented forms. */
export function misunderstood(what: string): Error {
  return failed(new Error(`the translation service sent no ${what}`))
}

/** The languages of a service by our codes, each with the code that the service uses. */
export function byOurCodes(theirs: readonly string[]): Map<string, string> {
  const codes = new Map<string, string>()
  for (const code of theirs) {
    const ours = parseLanguage(code)
    if (ours !== null && !codes.has(ours)) codes.set(ours, code)
  }
  return codes
}

/** A language that a service detected, by our code where we know one. */
export function ourCode(theirs: string): string {
  return parseLanguage(theirs) ?? theirs.toLowerCase()
}

const day = 24 * 3600 * 1000

/**
 * Keeps what `load` gave for a day and loads it anew then, once for all who ask at that time. When that fails, what
 * was kept serves on; without any the error is passed on.
 */
export function keptForADay<T>(clock: Clock, load: () => Promise<T>): () => Promise<T> {
  let kept: { value: T; until: number } | null = null
  let loading: Promise<T> | null = null
  const reload = async () => {
    try {
      const value = await load()
      kept = { value, until: clock.now() + day }
      return value
    } catch (error) {
      if (kept) return kept.value
      throw error
    } finally {
      loading = null
    }
  }
  return async () => {
    if (kept && clock.now() < kept.until) return kept.value
    loading ??= reload()
    return loading
  }
}
