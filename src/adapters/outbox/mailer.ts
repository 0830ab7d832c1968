import { randomBytes } from 'node:crypto'
import { rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { makeFolder } from '#lib/project/make-folder.ts'
import { systemClock, type Clock } from '#ports/clock.ts'
import type { Log } from '#ports/log.ts'
import type { Mail, Mailer } from '#ports/mailer.ts'
import { assertMail, commonHeaders } from '../smtp/message.ts'

interface OutboxOptions {
  directory: string
  /** The sender's address. */
  from?: string
  clock?: Clock
  log: Log
}

/**
 * For servers without mail: each mail becomes a file that only the owner can read, and its subject and links go to
 * the log, because whoever runs the server has no other way to follow them. The recipient stays out of the log.
 */
export function createOutboxMailer(options: OutboxOptions): Mailer {
  const { directory, from = 'notifications@localhost', clock = systemClock, log } = options
  return {
    async send(mail) {
      assertMail(mail)
      const date = new Date(clock.now())
      const name = `${date.toISOString().replaceAll(':', '-')}-${randomBytes(4).toString('hex')}.eml`
      const temporary = path.join(directory, `.${name}`)
      await makeFolder(directory, 0o700)
      await writeFile(temporary, format(mail, from, date), { mode: 0o600, flag: 'wx' })
      await rename(temporary, path.join(directory, name))
      log.info({ file: name, subject: mail.subject, links: findLinks(mail.text) }, 'a mail is in the outbox')
    },
  }
}

/** Unencoded (8bit, RFC 6532), so that a person with a pager can read it and follow its links. */
function format(mail: Mail, from: string, date: Date): string {
  const boundary = `=_${randomBytes(12).toString('hex')}`
  const headers = {
    Date: date.toUTCString().replace('GMT', '+0000'),
    From: from,
    To: mail.to,
    Subject: mail.subject,
    ...commonHeaders,
    ...mail.headers,
    'MIME-Version': '1.0',
    'Content-Type': `multipart/alternative; boundary="${boundary}"`,
  }
  const part = (type: string, body: string) => [
    `--${boundary}`,
    `Content-Type: ${type}; charset=utf-8`,
    'Content-Transfer-Encoding: 8bit',
    '',
    body,
  ]
  const lines = [
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    ...part('text/plain', mail.text),
    ...part('text/html', mail.html),
    `--${boundary}--`,
    '',
  ]
  return lines.join('\n').replace(/\r?\n/g, '\r\n')
}

function findLinks(text: string): string[] {
  const links = text.match(/https?:\/\/[^\s<>"']+/g) ?? []
  return [...new Set(links.map((link) => link.replace(/[.,;:!?)\]]+$/, '')))]
}
