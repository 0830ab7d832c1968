import type { z } from 'zod'
import type { Schema } from '#entities/entity.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Page } from '#lib/page.ts'
import type { Permission } from '#domain/identity/accounts/permissions.ts'
import type { Caller, Viewer } from '#domain/identity/accounts/viewer.ts'
import type { Limits } from './limits.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may call:
 * `none` a token is not even looked at · `optional` a token must be valid when there is one ·
 * `token` any valid token · `app` a token without a user · `user` a functional login ·
 * `any-user` a login that may be unconfirmed, unapproved or disabled.
 */
export type Auth = 'none' | 'optional' | 'token' | 'app' | 'user' | 'any-user'

/**
 * `anonymous`: shared caches may keep answers given without a token for 15 s. `public`: for 5 minutes. `counted`: for
 * 5 s, because they have counts that a small server keeps for no longer.
 */
export type Caching = 'private' | 'anonymous' | 'public' | 'counted'

/**
 * `avatar`: pictures of a profile. `media`: what is attached to statuses, which may be a film. `thumbnail`: pictures that
 * stand for films and sounds. `list`: lists of servers.
 */
export type UploadKind = 'avatar' | 'media' | 'thumbnail' | 'list'

/** Answers that are no JSON: their media types, of which a redirect has none. `json`: the schema of one that is. */
export interface Raw<T> {
  readonly kind: 'raw'
  readonly types: readonly string[]
  readonly json: Schema<T> | null
}

/** What an operation answers when it succeeds. */
export type Returns<T> = Schema<T> | Raw<T>

/** The result of a handler: an entity, or one with its page, status or headers; of `Raw` a `Response`. */
export type Result<T> = T | Reply<T> | Listed<T> | Reply<Response>

export interface RouteOptions<
  M extends Method,
  L extends `/${string}`,
  P extends z.ZodType,
  A extends Auth,
  T,
> {
  method: M
  /** The full literal path, `:name` for parameters. */
  path: L
  auth: A
  /** From it come the type of what `handle` answers, the OpenAPI document, and the types and checks of tests. */
  returns: Returns<T>
  /** With which it succeeds, unless that is 200 alone. */
  statuses?: readonly number[]
  /** Any one of these suffices; none listed means any token will do. */
  scopes?: readonly string[]
  /** What the user's role must allow; of several any one. Others are refused before more is read than it takes to know them. */
  permission?: Permission | readonly Permission[]
  params?: P
  caching?: Caching
  /**
   * For who asks without a token it is made once for all, and kept as finished bytes: for a second at most, and until
   * something of these changes (names as `Changes` tells them; a kind stands for all of it).
   */
  shared?: readonly string[]
  /** It reads much: a replica of the database may answer, which is as new as the database itself (docs/adr/0027). */
  replicated?: boolean
  /** Stays open when anonymous access to the API is refused (limited federation and the like). */
  open?: boolean
  /** Files of this kind may be uploaded, also as `data:` URIs in Base64; the kind says how large they may be. */
  uploads?: UploadKind
  handle(call: Call<z.output<P>, A>): Promise<Result<NoInfer<T>>>
}

export interface Call<P, A extends Auth> {
  ctx: Ctx
  params: P
  caller: Caller
  /** The user: certain on `user` and `any-user` routes. */
  viewer: A extends 'user' | 'any-user' ? Viewer : Viewer | null
  limits: Limits
  request: Request
  /** The token, as it was sent. */
  secret: string | null
}

/** A declared route as the kit and the generated documents see it. */
export interface Route<M extends Method = Method, L extends `/${string}` = `/${string}`, T = unknown> {
  readonly method: M
  readonly path: L
  readonly returns: Returns<T>
  readonly statuses: readonly number[]
  readonly auth: Auth
  readonly scopes: readonly string[]
  readonly permission: Permission | readonly Permission[] | null
  readonly params: z.ZodType | undefined
  readonly caching: Caching
  readonly shared: readonly string[] | null
  readonly replicated: boolean
  readonly open: boolean
  readonly uploads: UploadKind | null
  readonly handle: (call: Call<never, Auth>) => Promise<unknown>
}

/** Declares one operation of the REST API. Parse, one command, one view. */
export function route<
  const M extends Method,
  const L extends `/${string}`,
  P extends z.ZodType,
  A extends Auth,
  T,
>(options: RouteOptions<M, L, P, A, T>): Route<M, L, T> {
  return {
    method: options.method,
    path: options.path,
    returns: options.returns,
    statuses: options.statuses ?? [200],
    auth: options.auth,
    scopes: options.scopes ?? [],
    permission: options.permission ?? null,
    params: options.params,
    caching: options.caching ?? 'private',
    shared: options.shared ?? null,
    replicated: options.replicated ?? false,
    open: options.open ?? false,
    uploads: options.uploads ?? null,
    handle: options.handle as Route['handle'],
  }
}

/** An answer that is more than a JSON body with status 200. */
export interface Reply<T = unknown> {
  readonly kind: 'reply'
  readonly status: number
  readonly body: T
  readonly headers: Record<string, string>
}

export function reply<T>(status: number, body: T, headers: Record<string, string> = {}): Reply<T> {
  return { kind: 'reply', status, body, headers }
}

/** An answer of the operation's own to what it refuses: it is none of those that the operation `returns`. */
export function refusal(status: number, body: object, headers: Record<string, string> = {}): Reply<never> {
  return { kind: 'reply', status, body: body as never, headers }
}

/** `returns` of what answers with a `Response` of these media types; of none where it redirects. */
export const raw = (...types: string[]): Raw<never> => ({ kind: 'raw', types, json: null })

/** `returns` of what answers with an entity or, when asked, with a `Response` of this media type. */
export const jsonOr = <T>(json: Schema<T>, type: string): Raw<T> => ({ kind: 'raw', types: [type], json })

/** The schema of an operation's JSON; null where it answers none. */
export function schemaOf({ returns }: Pick<Route, 'returns'>): Schema<unknown> | null {
  return isRaw(returns) ? returns.json : returns
}

export const isRaw = <T>(returns: Returns<T>): returns is Raw<T> => (returns as Raw<T>).kind === 'raw'

/** A page of a list: the kit writes its `Link` header. `prev` is the parameter that leads to newer items. */
export interface Listed<T = unknown> {
  readonly kind: 'listed'
  readonly body: T
  readonly page: Pick<Page<unknown>, 'newest' | 'oldest' | 'full'>
  readonly prev: 'min_id' | 'since_id'
  /** Beside `Link`. */
  readonly headers?: Record<string, string>
}

export function listed<T>(page: Page<unknown>, body: T, prev: 'min_id' | 'since_id' = 'min_id'): Listed<T> {
  return { kind: 'listed', body, page, prev }
}

export function isReply(value: unknown): value is Reply {
  return (value as Reply | null)?.kind === 'reply'
}

export function isListed(value: unknown): value is Listed {
  return (value as Listed | null)?.kind === 'listed'
}
