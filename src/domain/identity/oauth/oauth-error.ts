import type { ParamsOf } from '#lib/errors.ts'
import { source, type Language, type Params } from '#lib/messages/catalogue.ts'
import { messageOf } from '#lib/messages/describe-error.ts'
import { textsIn } from '#lib/messages/texts.ts'
import type { Messages } from '#lib/messages/messages.ts'

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

type Descriptions = Messages['errors']['oauth']

/** A refusal in the words of OAuth: `code` for programs, a description for people, which `message` has in English. */
export class OauthError extends Error {
  readonly code: OauthErrorCode
  /** Returns the description in a language. Safe to show. */
  readonly describe: (language: Language) => string

  constructor(code: OauthErrorCode, describe: (language: Language) => string) {
    super(describe(source))
    this.name = 'OauthError'
    this.code = code
    this.describe = describe
  }
}

/** A refusal with a description of the catalogue. */
export function refuseOauth<D extends keyof Descriptions>(
  code: OauthErrorCode,
  description: D,
  ...told: ParamsOf<Descriptions[D]>
): OauthError {
  const [params] = told as [Params?]
  return new OauthError(code, (language) => messageOf(textsIn(language).errors.oauth, description, params))
}

export const invalidGrant = () => refuseOauth('invalid_grant', 'invalid_grant')

export const invalidScope = () => refuseOauth('invalid_scope', 'invalid_scope')

export const missingParameter = (name: string) =>
  refuseOauth('invalid_request', 'missing_parameter', { name })
