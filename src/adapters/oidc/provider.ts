// OpenID Connect by openid-client: code flow with PKCE, state and nonce; ID tokens are verified by the provider's keys.
import * as oidc from 'openid-client'
import type { OidcConfig } from '#config/sign-in.ts'
import { AppError, forbidden, unavailable } from '#lib/errors.ts'
import type { Clock } from '#ports/clock.ts'
import { RemoteError, type HttpClient } from '#ports/http-client.ts'
import type { IdentityProvider } from '#ports/identity-providers.ts'
import type { Log } from '#ports/log.ts'
import { readClaims } from './claims.ts'
import { createGuardedFetch } from './guarded-fetch.ts'

export interface OidcParts {
  /** For what the operator named, and for all else. */
  configured: HttpClient
  strangers: HttpClient
  clock: Clock
  log: Log
}

/** What the issuer says of itself is asked anew after this time, in milliseconds. */
const metadataLifetime = 3_600_000

const clientAuth = {
  basic: oidc.ClientSecretBasic,
  client_secret_basic: oidc.ClientSecretBasic,
  post: oidc.ClientSecretPost,
  client_secret_post: oidc.ClientSecretPost,
  client_secret_jwt: oidc.ClientSecretJwt,
  none: oidc.None,
} as const

/** A provider of OpenID Connect. Nothing is asked of it before somebody wants to sign in. */
export function createOidcProvider(config: OidcConfig, parts: OidcParts): IdentityProvider {
  const { clock, log } = parts
  const guardedFetch = createGuardedFetch({ ...parts, origins: originsOf(config) })
  let kept: { client: Promise<oidc.Configuration>; until: number } | undefined
  const findClient = (): Promise<oidc.Configuration> => {
    if (kept && kept.until > clock.now()) return kept.client
    const client = openClient(config, guardedFetch)
    const mine = { client, until: clock.now() + metadataLifetime }
    kept = mine
    client.catch(() => {
      if (kept === mine) kept = undefined
    })
    return client
  }
  const told = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (!isDenial(error))
        log.warn({ provider: config.name, reason: describe(error) }, 'signing in through a provider failed')
      throw toAppError(error, config.displayName)
    }
  }
  return {
    name: config.name,
    displayName: config.displayName,
    begin: () => told(async () => begin(config, await findClient())),
    finish: (query, memory) =>
      told(async () => {
        const client = await findClient()
        const tokens = await oidc.authorizationCodeGrant(client, backUrl(config, query), {
          pkceCodeVerifier: memory.verifier,
          expectedState: memory.state,
          idTokenExpected: true,
          ...(config.sendNonce && { expectedNonce: memory.nonce }),
        })
        const claims = tokens.claims()
        if (!claims) throw new Error('there is no ID token')
        const hasInfo = client.serverMetadata().userinfo_endpoint !== undefined
        const info = hasInfo ? await oidc.fetchUserInfo(client, tokens.access_token, claims.sub) : {}
        return readClaims(config, { ...claims, ...info })
      }),
    async leave() {
      if (config.endSession !== null) return leave(config, config.endSession)
      const client = await told(findClient).catch(() => null)
      return leave(config, client?.serverMetadata().end_session_endpoint)
    },
  }
}

async function begin(config: OidcConfig, client: oidc.Configuration) {
  const memory = {
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    verifier: oidc.randomPKCECodeVerifier(),
  }
  const url = oidc.buildAuthorizationUrl(client, {
    redirect_uri: config.redirectUri,
    scope: config.scopes.join(' '),
    response_type: 'code',
    state: memory.state,
    code_challenge: await oidc.calculatePKCECodeChallenge(memory.verifier),
    code_challenge_method: 'S256',
    ...(config.sendNonce && { nonce: memory.nonce }),
    ...(config.prompt !== null && { prompt: config.prompt }),
  })
  return { url: url.href, memory }
}

/** RP-initiated logout: https://openid.net/specs/openid-connect-rpinitiated-1_0.html */
function leave({ clientId, endedUri }: OidcConfig, endpoint: string | undefined): string | null {
  const url = URL.parse(endpoint ?? '')
  if (!url || !/^https?:$/.test(url.protocol)) return null
  url.searchParams.set('client_id', clientId)
  if (endedUri !== null) url.searchParams.set('post_logout_redirect_uri', endedUri)
  return url.href
}

async function openClient(config: OidcConfig, fetch: oidc.CustomFetch): Promise<oidc.Configuration> {
  const { issuer, clientId, clientSecret, endpoints } = config
  const auth = clientAuth[config.authMethod](clientSecret ?? '')
  // An operator who names an issuer without TLS has one beside this server.
  const insecure = issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []
  const execute = [...insecure, oidc.enableNonRepudiationChecks]
  if (endpoints === null) {
    return oidc.discovery(new URL(issuer), clientId, clientSecret ?? undefined, auth, {
      execute,
      [oidc.customFetch]: fetch,
    })
  }
  const server: oidc.ServerMetadata = {
    issuer,
    authorization_endpoint: endpoints.authorization,
    token_endpoint: endpoints.token,
    jwks_uri: endpoints.jwks,
    ...(endpoints.userInfo !== null && { userinfo_endpoint: endpoints.userInfo }),
  }
  const client = new oidc.Configuration(server, clientId, clientSecret ?? undefined, auth)
  client[oidc.customFetch] = fetch
  for (const change of execute) change(client)
  return client
}

function originsOf({ issuer, endpoints }: OidcConfig): ReadonlySet<string> {
  const named = [issuer, ...Object.values(endpoints ?? {})]
  return new Set(named.flatMap((url) => (url === null ? [] : (URL.parse(url)?.origin ?? []))))
}

/** The address of the provider's answer as the provider knows it, whatever a proxy made of it. */
function backUrl({ redirectUri }: OidcConfig, query: URLSearchParams): URL {
  const url = new URL(redirectUri)
  for (const [name, value] of query) url.searchParams.append(name, value)
  return url
}

/** Somebody changed their mind, or may not. */
const isDenial = (error: unknown): boolean =>
  error instanceof oidc.AuthorizationResponseError && error.error === 'access_denied'

function toAppError(error: unknown, provider: string): AppError {
  if (error instanceof AppError) return error
  const [problem] = causesOf(error).filter((cause) => cause instanceof RemoteError)
  if (problem) return unavailable('provider_unavailable', { provider }, { cause: error })
  if (isDenial(error)) return forbidden('provider_denied', { provider })
  return forbidden('provider_not_believed', { provider }, { cause: error })
}

/** For the log. No part of it is what was sent. */
const describe = (error: unknown) =>
  causesOf(error)
    .map((cause) => (cause instanceof Error ? cause.message : String(cause)))
    .join(': ')

function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = []
  for (let cause = error; cause !== undefined && causes.length < 5; cause = (cause as Error).cause) {
    causes.push(cause)
    if (!(cause instanceof Error)) break
  }
  return causes
}
