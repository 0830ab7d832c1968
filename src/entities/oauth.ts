import { z } from 'zod'
import { count, entity, flag, id, text, texts, url, urlOrNull, type Json, type Schema } from './entity.ts'

const facts = {
  id,
  name: text,
  website: urlOrNull,
  scopes: texts,
  redirect_uris: texts,
  /** The same with line ends between them, for older clients. */
  redirect_uri: text,
  vapid_key: text,
}

/** https://docs.joinmastodon.org/entities/Application/ */
const application = entity('Application', facts)
export interface Application extends Json<typeof application> {}
export const Application: Schema<Application> = application

/** https://docs.joinmastodon.org/entities/CredentialApplication/ */
const credentialApplication = entity('CredentialApplication', {
  ...facts,
  client_id: text,
  client_secret: text,
  /** Seconds since 1970; 0 is never. */
  client_secret_expires_at: count,
})
export interface CredentialApplication extends Json<typeof credentialApplication> {}
export const CredentialApplication: Schema<CredentialApplication> = credentialApplication

/** https://docs.joinmastodon.org/entities/Token/ (RFC 6749 section 5.1). */
const token = entity('Token', {
  access_token: text,
  token_type: z.literal('Bearer'),
  scope: text,
  /** Seconds since 1970. */
  created_at: count,
  refresh_token: text.optional(),
  /** Seconds. */
  expires_in: count.optional(),
})
export interface Token extends Json<typeof token> {}
export const Token: Schema<Token> = token

/** RFC 7662 section 2.2: nothing but `active` of a token that is none. */
const introspection = entity('Introspection', {
  active: flag,
  scope: text.optional(),
  client_id: text.optional(),
  token_type: z.literal('Bearer').optional(),
  iat: count.optional(),
  exp: count.optional(),
  username: text.optional(),
})
export interface Introspection extends Json<typeof introspection> {}
export const Introspection: Schema<Introspection> = introspection

/** The standard claims of OpenID Connect Core section 5.1 that a public profile has. */
const userinfo = entity('Userinfo', {
  iss: url,
  sub: url,
  name: text,
  preferred_username: text,
  profile: url,
  picture: url,
})
export interface Userinfo extends Json<typeof userinfo> {}
export const Userinfo: Schema<Userinfo> = userinfo

/** Authorization Server Metadata (RFC 8414). */
const authorizationServerMetadata = entity('AuthorizationServerMetadata', {
  issuer: url,
  service_documentation: url,
  authorization_endpoint: url,
  token_endpoint: url,
  app_registration_endpoint: url,
  revocation_endpoint: url,
  introspection_endpoint: url,
  userinfo_endpoint: url,
  scopes_supported: texts,
  response_types_supported: texts,
  response_modes_supported: texts,
  grant_types_supported: texts,
  token_endpoint_auth_methods_supported: texts,
  revocation_endpoint_auth_methods_supported: texts,
  introspection_endpoint_auth_methods_supported: texts,
  code_challenge_methods_supported: texts,
})
export interface AuthorizationServerMetadata extends Json<typeof authorizationServerMetadata> {}
export const AuthorizationServerMetadata: Schema<AuthorizationServerMetadata> = authorizationServerMetadata
