// What can go wrong between the app and the server, in people's words.
import { t } from '../core/texts.ts'

export type Trouble = 'offline' | 'rate-limited' | 'signed-out' | 'not-found' | 'refused' | 'broken'

export class ApiError extends Error {
  readonly trouble: Trouble
  readonly status: number
  /** Milliseconds after which it may be asked again. */
  readonly wait: number | null
  /** What the server said besides. */
  readonly body: unknown

  constructor(
    trouble: Trouble,
    message: string,
    more: { status?: number; wait?: number | null; body?: unknown } = {},
  ) {
    super(message)
    this.trouble = trouble
    this.status = more.status ?? 0
    this.wait = more.wait ?? null
    this.body = more.body ?? null
  }
}

const troubles: Readonly<Partial<Record<number, Trouble>>> = {
  401: 'signed-out',
  404: 'not-found',
  410: 'not-found',
  429: 'rate-limited',
}

/** The error that an answer is. The server's own words are in the reader's language; they are shown where it refuses. */
export async function errorOf(response: Response): Promise<ApiError> {
  const trouble = troubles[response.status] ?? (response.status < 500 ? 'refused' : 'broken')
  const body = (await response.json().catch(() => null)) as { error?: unknown } | null
  const said = typeof body?.error === 'string' ? body.error : ''
  const wait = waitOf(response)
  return new ApiError(trouble, wordsFor(trouble, said, wait), { status: response.status, wait, body })
}

function wordsFor(trouble: Trouble, said: string, wait: number | null): string {
  if (trouble === 'rate-limited')
    return t.errors.rateLimited({ minutes: Math.ceil((wait ?? 60_000) / 60_000) })
  if (trouble === 'refused' && said !== '') return said
  const words = {
    'signed-out': t.errors.signedOut,
    'not-found': t.errors.notFound,
    offline: t.errors.offline,
    refused: t.errors.refused,
    broken: t.errors.broken,
  }
  return words[trouble]
}

function waitOf(response: Response): number | null {
  const reset = response.headers.get('x-ratelimit-reset')
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  if (Number.isFinite(seconds)) return seconds * 1_000
  return response.status === 429 && reset !== null ? Math.max(0, Date.parse(reset) - Date.now()) : null
}

/** Whether what it was about is not there, or not any more. */
export const isMissing = (error: unknown): boolean =>
  error instanceof ApiError && error.trouble === 'not-found'

/** Whether it failed because the server could not be reached. */
export const isOffline = (error: unknown): boolean => error instanceof ApiError && error.trouble === 'offline'

/** What to tell of anything that was thrown. */
export const wordsOf = (error: unknown): string =>
  error instanceof ApiError ? error.message : t.errors.broken
