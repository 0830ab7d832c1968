// The public API, as every other app uses it.
import { effect, signal } from '@preact/signals'
import { authorization, language, takeAnswer } from '../core/start.ts'
import { t } from '../core/texts.ts'
import { ApiError, errorOf, isMissing } from './errors.ts'

export interface Answer<T> {
  body: T
  /** Paths of the pages beside it (`Link`): `next` is older. */
  next: string | null
  prev: string | null
  /** The server still looks for more of it (https://docs.joinmastodon.org/api/async-refreshes/). */
  refresh: Refresh | null
}

export interface Refresh {
  id: string
  /** After how many milliseconds to ask how far it is. */
  retry: number
}

export interface Request {
  /** JSON, or a form with files. */
  body?: unknown
  signal?: AbortSignal
  /** The same request sent again has its first answer (Idempotency-Key). */
  idempotencyKey?: string
}

/** Whether the last request reached the server. */
export const isOnline = signal(navigator.onLine)
addEventListener('online', () => (isOnline.value = true))
addEventListener('offline', () => (isOnline.value = false))

/** What remembers answers for when there is no network. */
export interface Memory {
  keep(path: string, answer: Answer<unknown>): void
  find(path: string): Promise<Answer<unknown> | undefined>
}

let memory: Memory | null = null

export function keepAnswersWith(one: Memory): void {
  memory = one
}

/** Reading is tried again after this wait, in milliseconds, when there were too many requests. */
const patience = 5_000

/** Reads. The first view's answers came with the document; without a network there are those of last time. Throws ApiError. */
export async function get<T>(path: string, signal?: AbortSignal): Promise<Answer<T>> {
  const known = takeAnswer(path)
  const found = known?.status === 200 ? answer<T>(known.body, known) : await ask<T>(path, signal)
  memory?.keep(path, found)
  return found
}

async function ask<T>(path: string, signal?: AbortSignal): Promise<Answer<T>> {
  const request = signal ? { signal } : {}
  try {
    return await send<T>('GET', path, request)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const kept = error.trouble === 'offline' ? await memory?.find(path) : undefined
    if (kept) return kept as Answer<T>
    if (error.trouble !== 'rate-limited' || (error.wait ?? patience) >= patience) throw error
    await new Promise((resolve) => setTimeout(resolve, error.wait ?? 0))
    return await send<T>('GET', path, request)
  }
}

const sender =
  (method: string) =>
  async <T>(path: string, request: Request = {}): Promise<T> =>
    (await send<T>(method, path, request)).body

export const post = sender('POST')
export const put = sender('PUT')
export const patch = sender('PATCH')
export const del = sender('DELETE')

/** Deletes what may be gone by now, from another device for example: that is as well, and answers null. */
export const remove = <T>(path: string, request?: Request): Promise<T | null> =>
  del<T>(path, request).catch((error: unknown) => {
    if (isMissing(error)) return null
    throw error
  })

async function send<T>(method: string, path: string, request: Request): Promise<Answer<T>> {
  const response = await reach(method, path, request)
  if (!response.ok) throw await refused(response, path)
  const text = await response.text().catch((error: unknown) => lost(error, request))
  const header = (name: string) => response.headers.get(name) ?? undefined
  return answer<T>(text === '' ? null : JSON.parse(text), {
    link: header('link'),
    refresh: header('mastodon-async-refresh'),
  })
}

async function reach(method: string, path: string, request: Request): Promise<Response> {
  const { body, signal, idempotencyKey } = request
  const isForm = body instanceof FormData
  const headers = {
    ...authorization(),
    'accept-language': language,
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
  }
  const content = body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }
  try {
    const response = await fetch(path, {
      method,
      headers,
      credentials: 'omit',
      ...content,
      ...(signal && { signal }),
    })
    isOnline.value = true
    return response
  } catch (error) {
    return lost(error, request)
  }
}

/** The server was not reached, or not until the end of its answer. */
function lost(error: unknown, { signal }: Request): never {
  if (signal?.aborted) throw error
  isOnline.value = false
  throw new ApiError('offline', t.errors.offline)
}

/** How long it is waited until the server is looked for again, in milliseconds: twice as long each time. */
const [firstWait, maxWait] = [2_000, 60_000]
let wait = firstWait

// Browsers tell of their own network alone, not of a server that is back. One that comes and goes is looked for less often.
effect(() => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const look = () => {
    timer = setTimeout(
      () => {
        void reach('GET', '/health', {}).catch(() => {
          if (!isOver) look()
        })
      },
      wait * (0.5 + Math.random() / 2),
    )
    wait = Math.min(maxWait, wait * 2)
  }
  if (isOnline.value) timer = setTimeout(() => (wait = firstWait), maxWait)
  else look()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
})

/** Looks whether the server can be reached, also before there are texts: `isOnline` has it then. */
export const lookForServer = (): Promise<void> =>
  reach('GET', '/health', {}).then(
    () => {},
    () => {},
  )

/** Resolves as soon as the server can be reached. */
export function whenOnline(): Promise<void> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      if (!isOnline.value) return
      queueMicrotask(() => {
        stop()
        resolve()
      })
    })
  })
}

let missing: (path: string) => void = () => {}

/** Hears of each path that the server has nothing at, whatever asked for it. */
export function onMissing(run: (path: string) => void): void {
  missing = run
}

/** A session that ended is noticed here: the document of this address leads to where one signs in. */
async function refused(response: Response, path: string): Promise<ApiError> {
  const error = await errorOf(response)
  if (error.trouble === 'signed-out' && 'authorization' in authorization()) location.reload()
  if (error.trouble === 'not-found') missing(path)
  return error
}

interface Headers {
  link?: string | undefined
  refresh?: string | undefined
}

function answer<T>(body: unknown, { link, refresh }: Headers): Answer<T> {
  return {
    body: body as T,
    next: linkTo(link, 'next'),
    prev: linkTo(link, 'prev'),
    refresh: readRefresh(refresh),
  }
}

/** `id="…", retry=5, result_count=2`. */
function readRefresh(header: string | undefined): Refresh | null {
  const { id, retry } = /^id="(?<id>[^"]+)", retry=(?<retry>\d+)/.exec(header ?? '')?.groups ?? {}
  return id === undefined ? null : { id, retry: Number(retry) * 1_000 }
}

/** The path of a link, whatever name the server calls itself. */
function linkTo(header: string | undefined, rel: string): string | null {
  const found = header?.split(',').find((part) => part.includes(`rel="${rel}"`))
  const address = /<([^>]+)>/.exec(found ?? '')?.[1]
  if (address === undefined) return null
  const url = new URL(address, location.origin)
  return url.pathname + url.search
}

/** `/path?a=1&b=2&b=3`, without what is null or undefined. */
export function withQuery(
  path: string,
  query: Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>,
): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined) continue
    if (Array.isArray(value)) for (const item of value) params.append(`${name}[]`, String(item))
    else params.append(name, String(value))
  }
  return params.size === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${params}`
}
