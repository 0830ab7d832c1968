import type { z } from 'zod'
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

export interface RouteOptions<P extends z.ZodType, A extends Auth> {
  method: Method
  /** The full literal path, `:name` for parameters. */
  path: `/${string}`
  auth: A
  /** Any one of these suffices; none listed means any token will do. */
  scopes?: readonly string[]
  /** What the user's role must allow; of several any one. Others are refused before anything of the request is read. */
  permission?: Permission | readonly Permission[]
  params?: P
  caching?: Caching
  /** Stays open when anonymous access to the API is refused (limited federation and the like). */
  open?: boolean
  /** Files of this kind may be uploaded, also as `data:` URIs in Base64; the kind says how large they may be. */
  uploads?: UploadKind
  handle(call: Call<z.output<P>, A>): Promise<unknown>
}

export interface Call<P, A extends Auth> {
  ctx: Ctx
  params: P
  caller: Caller
  /** The user: certain on `user` and `any-user` routes. */
  viewer: A extends 'user' | 'any-user' ? Viewer : Viewer | null
  limits: Limits
  request: Request
}

/** A declared route as the kit and the generated documents see it. */
export interface Route {
  readonly method: Method
  readonly path: `/${string}`
  readonly auth: Auth
  readonly scopes: readonly string[]
  readonly permission: Permission | readonly Permission[] | null
  readonly params: z.ZodType | undefined
  readonly caching: Caching
  readonly open: boolean
  readonly uploads: UploadKind | null
  readonly handle: (call: Call<never, Auth>) => Promise<unknown>
}

/** Declares one operation of the REST API. Parse, one command, one view. */
export function route<P extends z.ZodType, A extends Auth>(options: RouteOptions<P, A>): Route {
  return {
    method: options.method,
    path: options.path,
    auth: options.auth,
    scopes: options.scopes ?? [],
    permission: options.permission ?? null,
    params: options.params,
    caching: options.caching ?? 'private',
    open: options.open ?? false,
    uploads: options.uploads ?? null,
    handle: options.handle as Route['handle'],
  }
}

/** An answer that is more than a JSON body with status 200. */
export interface Reply {
  readonly kind: 'reply'
  readonly status: number
  readonly body: unknown
  readonly headers: Record<string, string>
}

export function reply(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return { kind: 'reply', status, body, headers }
}

/** A page of a list: the kit writes its `Link` header. `prev` is the parameter that leads to newer items. */
export interface Listed {
  readonly kind: 'listed'
  readonly body: unknown
  readonly page: Pick<Page<unknown>, 'newest' | 'oldest' | 'full'>
  readonly prev: 'min_id' | 'since_id'
}

export function listed(page: Page<unknown>, body: unknown, prev: 'min_id' | 'since_id' = 'min_id'): Listed {
  return { kind: 'listed', body, page, prev }
}

export function isReply(value: unknown): value is Reply {
  return (value as Reply | null)?.kind === 'reply'
}

export function isListed(value: unknown): value is Listed {
  return (value as Listed | null)?.kind === 'listed'
}
