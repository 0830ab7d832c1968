import type { OidcConfig } from '#config/sign-in.ts'
import { forbidden } from '#lib/errors.ts'
import type { ClaimedIdentity } from '#ports/identity-providers.ts'

const maxUid = 255

/**
 * What claims say of somebody, in which nothing has the form that it should have. Throws `forbidden` without that by which
 * people are told apart.
 */
export function readClaims(config: OidcConfig, claims: Readonly<Record<string, unknown>>): ClaimedIdentity {
  const text = (name: string) => {
    const value = claims[name]
    return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
  }
  const subject = text('sub')
  const uid = text(config.uidField) || subject
  if (uid === '' || uid.length > maxUid || subject.length > maxUid) {
    throw forbidden('provider_not_believed', { provider: config.displayName })
  }
  const email = text('email')
  const isVerified = claims['email_verified'] === true || claims['email_verified'] === 'true'
  const [mailbox = ''] = email.split('@')
  return {
    provider: config.name,
    uid,
    subject,
    email: email === '' ? null : email,
    isEmailVerified: email !== '' && (isVerified || config.assumeEmailVerified),
    username: config.uidField === 'sub' ? text('preferred_username') || text('nickname') || mailbox : uid,
    displayName: text('name'),
  }
}
