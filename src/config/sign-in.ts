// Who else may say who somebody is: providers of OpenID Connect and a directory (LDAP), under the names of Mastodon.

import { readLdap, type LdapConfig } from '#config/ldap.ts'
import type { EnvReader } from '#config/env.ts'
import { checkHttpUrl } from '#lib/net/outgoing-url.ts'

export interface SignInConfig {
  /** In the order in which they are offered. */
  providers: readonly OidcConfig[]
  /** null: no directory is asked. */
  ldap: LdapConfig | null
  /** Passwords of this server open nothing, and nobody makes an account but through a provider or the directory. */
  onlyByOthers: boolean
  /** Whoever has an address that their provider has verified is taken for the user here who has the same one. */
  attachByEmail: boolean
}

export interface OidcConfig {
  /** Its name in addresses and in the database: `openid_connect`, and `openid_connect_2` and so on for further ones. */
  name: string
  displayName: string
  issuer: string
  /** null: the issuer is asked for them. */
  endpoints: OidcEndpoints | null
  clientId: string
  clientSecret: string | null
  authMethod: OidcAuthMethod
  scopes: readonly string[]
  /** The claim by which people are told apart, and from which their username is made. */
  uidField: string
  redirectUri: string
  /** Where browsers go to sign out there too; null: what the issuer says, if it was asked. */
  endSession: string | null
  /** Where the provider sends them from there; null: nowhere. */
  endedUri: string | null
  prompt: string | null
  sendNonce: boolean
  assumeEmailVerified: boolean
}

export interface OidcEndpoints {
  authorization: string
  token: string
  userInfo: string | null
  jwks: string
}

const authMethods = [
  'basic',
  'client_secret_basic',
  'post',
  'client_secret_post',
  'client_secret_jwt',
  'none',
] as const
export type OidcAuthMethod = (typeof authMethods)[number]

/** Further providers have numbers from 2 to this. */
const maxProviders = 9

/** Reads the variables of this group. `baseUrl`: of this server, without a trailing slash. */
export function readSignIn(reader: EnvReader, baseUrl: string): SignInConfig {
  const providers: OidcConfig[] = []
  for (let number = 1; number <= maxProviders; number += 1) {
    const own = number === 1 ? reader : reader.numbered('OIDC', number)
    const name = number === 1 ? 'openid_connect' : `openid_connect_${number}`
    const provider = readProvider(own, name, baseUrl)
    if (provider) providers.push(provider)
  }
  const ldap = readLdap(reader)
  const onlyByOthers = reader.boolean('OMNIAUTH_ONLY', false)
  if (onlyByOthers && providers.length === 0 && ldap === null && reader.problems.length === 0) {
    reader.refuse('OMNIAUTH_ONLY', 'false where neither OIDC_ENABLED nor LDAP_ENABLED is true')
  }
  return {
    providers,
    ldap,
    onlyByOthers,
    attachByEmail: reader.boolean('ALLOW_UNSAFE_AUTH_PROVIDER_REATTACH', false),
  }
}

function readProvider(reader: EnvReader, name: string, baseUrl: string): OidcConfig | null {
  if (!reader.boolean('OIDC_ENABLED', false)) return null
  const needed = 'OIDC_ENABLED=true needs it'
  reader.required('OIDC_ISSUER', needed)
  reader.url('OIDC_ISSUER', ['https', 'http'])
  const clientSecret = reader.text('OIDC_CLIENT_SECRET')
  const authMethod = reader.choice('OIDC_CLIENT_AUTH_METHOD', authMethods, 'basic')
  if (authMethod !== 'none') reader.required('OIDC_CLIENT_SECRET', needed)
  return {
    name,
    displayName: reader.text('OIDC_DISPLAY_NAME') ?? 'OpenID Connect',
    // Not as a URL: it is compared letter by letter.
    issuer: reader.text('OIDC_ISSUER') ?? '',
    endpoints: readEndpoints(reader),
    clientId: reader.required('OIDC_CLIENT_ID', needed),
    clientSecret,
    authMethod,
    scopes: readScopes(reader),
    uidField: reader.text('OIDC_UID_FIELD') ?? 'sub',
    redirectUri: readRedirectUri(reader) ?? `${baseUrl}/auth/auth/${name}/callback`,
    endSession: reader.url('OIDC_END_SESSION_ENDPOINT', ['https', 'http'])?.href ?? null,
    endedUri: reader.url('OIDC_IDP_LOGOUT_REDIRECT_URI', ['https', 'http'])?.href ?? null,
    prompt: reader.text('OIDC_PROMPT'),
    sendNonce: reader.boolean('OIDC_SEND_NONCE', true),
    assumeEmailVerified: reader.boolean('OIDC_SECURITY_ASSUME_EMAIL_IS_VERIFIED', false),
  }
}

/** Without a word on it they are asked for: that is less to get wrong. Mastodon wants to be told. */
function readEndpoints(reader: EnvReader): OidcEndpoints | null {
  const isTold = reader.text('OIDC_AUTH_ENDPOINT') !== null && reader.text('OIDC_TOKEN_ENDPOINT') !== null
  if (reader.boolean('OIDC_DISCOVERY', !isTold)) return null
  const needed = 'OIDC_DISCOVERY=false needs it'
  const read = (name: 'OIDC_AUTH_ENDPOINT' | 'OIDC_TOKEN_ENDPOINT' | 'OIDC_JWKS_URI') => {
    reader.required(name, needed)
    return reader.url(name, ['https', 'http'])?.href ?? ''
  }
  return {
    authorization: read('OIDC_AUTH_ENDPOINT'),
    token: read('OIDC_TOKEN_ENDPOINT'),
    userInfo: reader.url('OIDC_USER_INFO_ENDPOINT', ['https', 'http'])?.href ?? null,
    jwks: read('OIDC_JWKS_URI'),
  }
}

function readScopes(reader: EnvReader): string[] {
  const given = reader.list('OIDC_SCOPE', (entry) => entry, 'a list of scopes, such as openid,profile,email')
  return [...new Set(['openid', ...(given ?? ['profile', 'email'])])]
}

function readRedirectUri(reader: EnvReader): string | null {
  const text = reader.text('OIDC_REDIRECT_URI')
  if (text === null) return null
  if (!checkHttpUrl(text).url)
    reader.refuse('OIDC_REDIRECT_URI', 'the URL of /auth/auth/…/callback on this server')
  return text
}
