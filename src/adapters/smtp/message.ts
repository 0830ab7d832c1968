import type { Mail } from '#ports/mailer.ts'

const addressPattern = /^[^\s@<>,;:"()\\]+@[^\s@<>,;:"()\\]+$/

/**
 * Refuses what could add recipients or header lines (CWE-93), so that neither a name nor an address that people
 * chose can. Throws TypeError.
 */
export function assertMail(mail: Mail): void {
  if (!addressPattern.test(mail.to)) throw new TypeError('the recipient of a mail is not one plain address')
  for (const [name, value] of Object.entries({ Subject: mail.subject, ...mail.headers })) {
    if (!/^[A-Za-z0-9-]+$/.test(name) || /[\r\n\0]/.test(value)) {
      throw new TypeError(`the header ${JSON.stringify(name)} of a mail is malformed`)
    }
  }
}

/** Headers of every mail: written by a program, so nobody's absence note answers (RFC 3834). */
export const commonHeaders: Readonly<Record<string, string>> = { 'Auto-Submitted': 'auto-generated' }
