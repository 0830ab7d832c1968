/** The error codes of RFC 6749 sections 4.1.2.1 and 5.2 and RFC 7009 that this server answers. */
export type OauthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied'

/** A refusal in the words of OAuth: `code` for programs, `message` for people. Both are safe to show. */
export class OauthError extends Error {
  readonly code: OauthErrorCode

  constructor(code: OauthErrorCode, message: string) {
    super(message)
    this.name = 'OauthError'
    this.code = code
  }
}

export const invalidGrant = () =>
  new OauthError(
    'invalid_grant',
    'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
  )

export const invalidScope = () =>
  new OauthError('invalid_scope', 'The requested scope is invalid, unknown, or malformed.')

export const missingParameter = (name: string) =>
  new OauthError('invalid_request', `Missing required parameter: ${name}.`)
