// Time-based one-time passwords (RFC 6238): SHA-1, six digits, thirty seconds, which every app knows.
import { Secret, TOTP } from 'otpauth'

const period = 30
const digits = 6
const algorithm = 'SHA1'
/** RFC 4226 section 4, R6 recommends 160 bits. */
const secretBytes = 20
/** Steps that a clock may be off, each way. */
const tolerance = 1

/** A new secret in Base32. */
export function newOtpSecret(): string {
  return new Secret({ size: secretBytes }).base32
}

/** The address that an app reads from a QR code (Key URI Format of Google Authenticator). */
export function otpUri(secret: string, site: { issuer: string; label: string }): string {
  return new TOTP({ ...site, secret, algorithm, digits, period }).toString()
}

/** The time step that a code belongs to, if it is of now or of the step before or after. Else null. */
export function findStep(secret: string, code: string, now: number): number | null {
  const token = code.replaceAll(/\s/g, '')
  if (!isOtpCode(token)) return null
  const options = { token, secret: Secret.fromBase32(secret), algorithm, digits, period }
  const delta = TOTP.validate({ ...options, timestamp: now, window: tolerance })
  return delta === null ? null : Math.floor(now / 1000 / period) + delta
}

/** Whether this looks like a code of an app. */
export const isOtpCode = (text: string): boolean => /^\d{6}$/.test(text.replaceAll(/\s/g, ''))
