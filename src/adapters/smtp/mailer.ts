import { readFileSync } from 'node:fs'
import { createTransport } from 'nodemailer'
import type { SmtpConfig } from '#config/services.ts'
import { UndeliverableMail, type Mailer } from '#ports/mailer.ts'
import { assertMail, commonHeaders } from './message.ts'

const authMethods = { plain: 'PLAIN', login: 'LOGIN', cram_md5: 'CRAM-MD5' } as const

/** Sends through a mail server, with a connection per mail. Throws when the file with authorities cannot be read. */
export function createSmtpMailer(smtp: SmtpConfig): Mailer {
  const transport = createTransport({
    host: smtp.host,
    port: smtp.port,
    name: smtp.domain,
    secure: smtp.implicitTls,
    ignoreTLS: smtp.starttls === 'never',
    requireTLS: smtp.starttls === 'always',
    tls: {
      rejectUnauthorized: smtp.verifyCertificate,
      ...(smtp.caFile === null ? {} : { ca: readFileSync(smtp.caFile) }),
    },
    ...(smtp.auth && {
      auth: { user: smtp.auth.login, pass: smtp.auth.password },
      authMethod: authMethods[smtp.auth.method],
    }),
    connectionTimeout: 15_000,
    greetingTimeout: 15_000,
    socketTimeout: 60_000,
    // A mail has no attachments, and none of its fields may make us read a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send(mail) {
      assertMail(mail)
      const sent = transport.sendMail({
        from: smtp.from,
        to: { name: '', address: mail.to },
        ...(smtp.replyTo !== null && { replyTo: smtp.replyTo }),
        envelope: { from: smtp.returnPath ?? smtp.from, to: mail.to },
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        headers: { ...commonHeaders, ...mail.headers },
      })
      await sent.catch((error: Error) => {
        throw isRefusal(error) ? new UndeliverableMail(error.message, { cause: error }) : error
      })
    },
  }
}

/** Not for now, and about the recipient: not about what we say of ourselves. */
function isRefusal(error: Error & { code?: string; responseCode?: number }): boolean {
  return error.code === 'EENVELOPE' && (error.responseCode ?? 0) >= 500
}
