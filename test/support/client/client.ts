// Requests as an app makes them. Every JSON answer is checked against the reference OpenAPI.
import { createResponseValidator } from '#test/openapi/validate.ts'
import type { AnswerTo } from './answers.ts'
import { parseExactly } from './parse-exactly.ts'

// oxlint-disable-next-line no-explicit-any -- answers are looked at by assertions, not by types
export type Json = any
export type Fetch = (path: string, init?: RequestInit) => Promise<Response>

export interface Answer<T = Json> {
  readonly status: number
  readonly headers: Headers
  /** Perhaps an error. */
  readonly body: Json
  /** The body; fails the test unless the status is 2xx. */
  ok(): T
  /** The targets of the Link header by their relation. */
  readonly links: Record<string, string>
}

type Params = Record<string, unknown> | FormData | URLSearchParams

/** Whose answers have the types of the operations, where a path as it is written says which one it is. */
export interface Client {
  get<P extends string>(path: P, query?: Record<string, unknown>): Promise<Answer<AnswerTo<'GET', P>>>
  post<P extends string>(
    path: P,
    params?: Params,
    headers?: Record<string, string>,
  ): Promise<Answer<AnswerTo<'POST', P>>>
  put<P extends string>(path: P, params?: Params): Promise<Answer<AnswerTo<'PUT', P>>>
  patch<P extends string>(path: P, params?: Params): Promise<Answer<AnswerTo<'PATCH', P>>>
  delete<P extends string>(path: P, params?: Params): Promise<Answer<AnswerTo<'DELETE', P>>>
}

const validator = createResponseValidator()

/** A client with a bearer token, or without. */
export function createClient(options: { fetch: Fetch; token: string | null }): Client {
  async function send(
    method: string,
    path: string,
    params?: Params,
    extra: Record<string, string> = {},
  ): Promise<Answer> {
    const headers: Record<string, string> = { ...extra }
    if (options.token !== null) headers['authorization'] = `Bearer ${options.token}`
    const plain =
      params !== undefined && !(params instanceof FormData) && !(params instanceof URLSearchParams)
    if (plain) headers['content-type'] = 'application/json'
    const body = plain ? JSON.stringify(params) : (params as FormData | URLSearchParams | undefined)
    const response = await options.fetch(path, { method, headers, ...(body !== undefined && { body }) })
    return toAnswer(method, path, response)
  }
  return {
    get: (path, query) => send('GET', query ? `${path}?${toQuery(query)}` : path),
    post: (path, params, headers) => send('POST', path, params, headers),
    put: (path, params) => send('PUT', path, params),
    patch: (path, params) => send('PATCH', path, params),
    delete: (path, params) => send('DELETE', path, params),
  }
}

function toQuery(query: Record<string, unknown>): URLSearchParams {
  const made = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const item of value) made.append(`${name}[]`, String(item))
    else if (value !== undefined) made.append(name, String(value))
  }
  return made
}

async function toAnswer(method: string, path: string, response: Response): Promise<Answer> {
  const text = await response.text()
  const contentType = response.headers.get('content-type') ?? ''
  const body: Json = contentType.includes('json') && text !== '' ? parseExactly(text) : text
  const problems = validator.check({ method, url: path }, { status: response.status, contentType, body })
  if (problems.length > 0)
    throw new Error(`${method} ${path} ${response.status} breaks the reference:\n${problems.join('\n')}`)
  return {
    status: response.status,
    headers: response.headers,
    body,
    links: parseLinks(response.headers.get('link')),
    ok() {
      if (response.status >= 200 && response.status < 300) return body
      throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`)
    },
  }
}

function parseLinks(header: string | null): Record<string, string> {
  const links: Record<string, string> = {}
  for (const match of (header ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)) {
    const url = new URL(match[1] as string)
    links[match[2] as string] = url.pathname + url.search
  }
  return links
}
