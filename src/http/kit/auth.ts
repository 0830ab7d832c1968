// The gate of caller identity: every route learns who calls from here, and from nowhere else.
import { clientAddress } from '#lib/net/cidr.ts'
import type { RequestUrl } from '#lib/net/request-path.ts'
import { forbidden, unauthorized, unprocessable } from '#lib/errors.ts'
import type { Ctx } from '#ports/ctx.ts'
import { findIpBlock } from '#domain/identity/sign-up-restrictions/find-ip-block.ts'
import { hasAnyPermission } from '#domain/identity/accounts/permissions.ts'
import { refusalSentences, type Caller, type Refusal } from '#domain/identity/accounts/viewer.ts'
import { findToken, type FoundToken } from '#domain/identity/oauth/find-caller.ts'
import { recordActivity } from '#domain/identity/accounts/record-activity.ts'
import { recordTokenUse } from '#domain/identity/oauth/record-token-use.ts'
import type { ParamTree } from './params/params.ts'
import type { Route } from './route.ts'

const tokenProblems = {
  unknown: 'token_invalid',
  revoked: 'token_revoked',
  expired: 'token_expired',
} as const

/** The address of the client: the socket's, or what a trusted proxy says of it. */
export function addressOf(ctx: Ctx, request: Request, remoteAddress: string | undefined): string {
  return clientAddress({
    remoteAddress: remoteAddress ?? '127.0.0.1',
    forwardedFor: request.headers.get('x-forwarded-for'),
    trusted: ctx.config.trustedProxies,
  })
}

/** Throws `forbidden` for whoever comes from an address to which staff closed the server: for all that it answers. */
export async function assertAccess(ctx: Ctx, address: string): Promise<void> {
  const block = await findIpBlock(ctx, address)
  if (block?.severity === 'no_access') throw forbidden()
}

/** The bearer secret in the headers or the address of a request (RFC 6750 sections 2.1 and 2.3), or null. A blank one is none. */
export function bearerOf(request: Request, url: RequestUrl): string | null {
  const header = /^Bearer +(\S+)\s*$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  const { searchParams: query } = url
  return header ?? (query.get('access_token') || query.get('bearer_token') || null)
}

/** The bearer secret among the parameters of a body (section 2.2), or null. */
export function bearerIn({ access_token: first, bearer_token: second }: ParamTree): string | null {
  const secret = first || second
  return typeof secret === 'string' && secret !== '' ? secret : null
}

/** Finds the caller and checks that this route is theirs. Throws `unauthorized`, `forbidden` or `invalid`. */
export async function authenticate(
  ctx: Ctx,
  route: Route,
  secret: string | null,
  address: string,
): Promise<Caller> {
  const anonymous: Caller = { viewer: null, token: null, address }
  if (route.auth === 'none') {
    if (!route.open && closedToStrangers(ctx) && !(await hasUser(ctx, secret)))
      throw unauthorized('needs_user')
    return anonymous
  }
  if (secret === null) return admitStranger(ctx, route, anonymous)
  const found = await findToken(ctx, secret)
  if (found.state !== 'valid') throw unauthorized(tokenProblems[found.state])
  assertScopes(route, found)
  if (found.viewer) await recordActivity(ctx, found.viewer, found.lastActiveAt)
  await recordTokenUse(ctx, found.token, found.lastUsedAt)
  const caller: Caller = { viewer: usable(route, found), token: found.token, address }
  return admit(ctx, route, caller, found.viewer?.refusal ?? null)
}

function closedToStrangers(ctx: Ctx): boolean {
  return ctx.config.limitedFederation || ctx.config.disallowUnauthenticatedApi
}

async function hasUser(ctx: Ctx, secret: string | null): Promise<boolean> {
  if (secret === null) return false
  const found = await findToken(ctx, secret)
  return found.state === 'valid' && found.viewer !== null && found.viewer.refusal === null
}

function admitStranger(ctx: Ctx, route: Route, anonymous: Caller): Caller {
  if (route.auth !== 'optional') throw unauthorized()
  if (!route.open && closedToStrangers(ctx)) throw unauthorized('needs_user')
  return anonymous
}

function assertScopes(route: Route, found: Extract<FoundToken, { state: 'valid' }>): void {
  if (route.scopes.length === 0) return
  if (!route.scopes.some((scope) => found.token.scopes.includes(scope))) {
    throw forbidden('outside_scopes')
  }
}

/** On optional routes a login that may not act reads as a stranger does. */
function usable(route: Route, found: Extract<FoundToken, { state: 'valid' }>): Caller['viewer'] {
  return found.viewer?.refusal && route.auth !== 'any-user' ? null : found.viewer
}

function admit(ctx: Ctx, route: Route, caller: Caller, refusal: Refusal | null): Caller {
  if (refusal && (route.auth === 'user' || route.auth === 'app')) throw forbidden(refusalSentences[refusal])
  if ((route.auth === 'user' || route.auth === 'any-user') && !caller.viewer)
    throw unprocessable('needs_user')
  if (!isPermitted(route, caller.viewer)) throw forbidden()
  if (route.auth === 'app' && caller.viewer) {
    throw forbidden('needs_client_credentials')
  }
  if (!caller.viewer && !route.open && route.auth === 'optional' && closedToStrangers(ctx)) {
    throw unauthorized('needs_user')
  }
  return caller
}

/** Whether the user's role allows what the route demands: any one of several suffices. */
function isPermitted({ permission }: Route, viewer: Caller['viewer']): boolean {
  if (permission === null) return true
  return viewer !== null && hasAnyPermission(viewer, permission)
}
