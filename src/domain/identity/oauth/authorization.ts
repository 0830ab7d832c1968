// The authorisation request (RFC 6749 section 4.1.1, RFC 7636 section 4.3) and its outcomes.
import type { Ctx, Reader } from '#ports/ctx.ts'
import { sql } from 'kysely'
import { outOfBand } from '#lib/net/redirect-uri.ts'
import { hashSecret, newSecret } from '#lib/secrets.ts'
import { findClient, type Application } from './applications.ts'
import { invalidScope, missingParameter, OauthError, refuseOauth } from './oauth-error.ts'
import { covers, defaultScopes, parseScopes } from './scopes.ts'
import type { UserId } from '#lib/id.ts'

export const responseModes = ['query', 'fragment', 'form_post'] as const
export type ResponseMode = (typeof responseModes)[number]

/** The parameters as they came, by name. Missing ones are `''`. */
export interface AuthorizationParams {
  client_id: string
  redirect_uri: string
  response_type: string
  response_mode: string
  scope: string
  state: string
  code_challenge: string
  code_challenge_method: string
}

export interface Authorization {
  application: Application
  redirectUri: string
  responseMode: ResponseMode
  scopes: readonly string[]
  /** Given back as it came. */
  state: string
  codeChallenge: string | null
}

/** Where an answer goes. */
export type ReturnAddress = Pick<Authorization, 'redirectUri' | 'responseMode' | 'state'>

/**
 * `untrusted`: client or redirect address cannot be believed, so the browser is sent nowhere ·
 * `refused`: the client is told · `asked`: a good request.
 */
export type ReadAuthorization =
  | { kind: 'untrusted'; error: OauthError }
  | { kind: 'refused'; error: OauthError; address: ReturnAddress }
  | { kind: 'asked'; authorization: Authorization }

/** Checks an authorisation request. A redirect address must be one that was registered, to the letter. */
export async function readAuthorization(
  reader: Reader,
  params: AuthorizationParams,
): Promise<ReadAuthorization> {
  const application = params.client_id === '' ? null : await findClient(reader, params.client_id)
  if (!application) return { kind: 'untrusted', error: unknownClient(params) }
  if (!application.redirectUris.includes(params.redirect_uri))
    return { kind: 'untrusted', error: wrongRedirect(params) }
  const mode = responseModes.find((known) => known === (params.response_mode || 'query'))
  const address: ReturnAddress = {
    redirectUri: params.redirect_uri,
    responseMode: mode ?? 'query',
    state: params.state,
  }
  const read = mode
    ? readRest(application, params)
    : refuseOauth('invalid_request', 'response_mode_unsupported')
  if (read instanceof OauthError) {
    return address.redirectUri === outOfBand
      ? { kind: 'untrusted', error: read }
      : { kind: 'refused', error: read, address }
  }
  return { kind: 'asked', authorization: { application, ...address, ...read } }
}

function unknownClient(params: AuthorizationParams): OauthError {
  if (params.client_id === '') return missingParameter('client_id')
  return refuseOauth('invalid_client', 'client_unknown')
}

function wrongRedirect(params: AuthorizationParams): OauthError {
  if (params.redirect_uri === '') return missingParameter('redirect_uri')
  return refuseOauth('invalid_request', 'redirect_uri_unregistered')
}

function readRest(
  application: Application,
  params: AuthorizationParams,
): Pick<Authorization, 'scopes' | 'codeChallenge'> | OauthError {
  if (params.response_type === '') return missingParameter('response_type')
  if (params.response_type !== 'code') {
    return refuseOauth('unsupported_response_type', 'response_type_unsupported')
  }
  const scopes = grantableScopes(application, params.scope)
  if (scopes === null) return invalidScope()
  const challenge = readChallenge(params)
  return challenge instanceof OauthError ? challenge : { scopes, codeChallenge: challenge }
}

/**
 * The scopes that an application gets when it asks for these: never more than it registered. Nothing asked for
 * means `read`, or what it registered where that is less. Null when it may not have them.
 */
export function grantableScopes(
  application: Application,
  asked: string | readonly string[],
): readonly string[] | null {
  const scopes = parseScopes(asked)
  if (scopes === null) return null
  if (scopes.length === 0)
    return covers(application.scopes, defaultScopes) ? defaultScopes : application.scopes
  return covers(application.scopes, scopes) ? scopes : null
}

/** PKCE with S256 alone: `plain`, which is also what a missing method means, protects nothing. */
function readChallenge(params: AuthorizationParams): string | null | OauthError {
  if (params.code_challenge === '' && params.code_challenge_method === '') return null
  if (params.code_challenge_method !== 'S256') {
    return refuseOauth('invalid_request', 'code_challenge_method_unsupported')
  }
  const valid = /^[A-Za-z0-9_-]{43}$/.test(params.code_challenge)
  return valid ? params.code_challenge : refuseOauth('invalid_request', 'code_challenge_malformed')
}

/** How long a code may be used, in milliseconds. */
const codeLifetime = 600_000

/** Makes the code that the application turns into a token. Only its hash is kept. */
export async function grantCode(ctx: Ctx, userId: UserId, authorization: Authorization): Promise<string> {
  const code = newSecret()
  const now = ctx.clock.now()
  await ctx.db
    .insertInto('oauth_grants')
    .values({
      id: ctx.newId(),
      code_hash: hashSecret(code),
      application_id: authorization.application.id,
      user_id: userId,
      redirect_uri: authorization.redirectUri,
      scopes: [...authorization.scopes],
      code_challenge: authorization.codeChallenge,
      expires_at: new Date(now + codeLifetime),
      created_at: new Date(now),
    })
    .execute()
  return code
}

/** Whether the user has given this application as much before, so that there is nothing new to ask. */
export async function hasConsented(
  reader: Reader,
  userId: UserId,
  authorization: Authorization,
): Promise<boolean> {
  const { rows } = await sql<{ scopes: string[] }>`
    select distinct scopes from oauth_tokens
    where user_id = ${userId} and application_id = ${authorization.application.id} and revoked_at is null
      and (expires_at is null or expires_at > ${new Date(reader.clock.now())})`.execute(reader.db)
  return rows.some((row) => covers(row.scopes, authorization.scopes))
}
