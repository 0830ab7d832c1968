// How OAuth endpoints answer: errors have a code and a description (RFC 6749 section 5.2).
import type { Token } from '#entities/oauth.ts'
import { OauthError, type OauthErrorCode } from '#domain/identity/oauth/oauth-error.ts'
import type { IssuedToken } from '#domain/identity/oauth/issue-token.ts'
import { refusal, reply, type Reply } from '../kit/route.ts'
import { pickLanguage } from '#lib/messages/pick-language.ts'

const statuses: Partial<Record<OauthErrorCode, number>> = { invalid_client: 401, unauthorized_client: 403 }

/** Secrets are never kept by caches (RFC 6749 section 5.1). */
const uncached = { 'cache-control': 'no-store', pragma: 'no-cache' }

/** Runs an OAuth endpoint and answers its refusals in the form of OAuth. */
export async function answerOauth<T>(request: Request, work: () => Promise<T>): Promise<Reply<T>> {
  try {
    return reply(200, await work(), uncached)
  } catch (error) {
    if (!(error instanceof OauthError)) throw error
    const status = statuses[error.code] ?? 400
    const challenge: Record<string, string> =
      status === 401 ? { 'www-authenticate': 'Basic realm="Stonechat", charset="UTF-8"' } : {}
    const language = pickLanguage(null, request.headers.get('accept-language'))
    const body = { error: error.code, error_description: error.describe(language) }
    return refusal(status, body, { ...uncached, ...challenge })
  }
}

const seconds = (time: Date) => Math.floor(time.getTime() / 1000)

/** The Token entity (https://docs.joinmastodon.org/entities/Token/), with a refresh token where there is one. */
export function renderToken(token: IssuedToken, now: number): Token {
  return {
    access_token: token.secret,
    token_type: 'Bearer',
    scope: token.scopes.join(' '),
    created_at: seconds(token.createdAt),
    ...(token.refreshSecret !== null && { refresh_token: token.refreshSecret }),
    ...(token.expiresAt !== null && { expires_in: Math.round((token.expiresAt.getTime() - now) / 1000) }),
  }
}
