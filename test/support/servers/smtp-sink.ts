// A mail server that keeps what it gets, as it came over the wire.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import type { SmtpConfig } from '#config/services.ts'

export interface SunkMail {
  to: string[]
  raw: string
  /** By lower-case name, unfolded (RFC 5322 section 2.2.3). */
  headers: Record<string, string>
  /** The parts of the body, decoded, by their type. */
  parts: Record<string, string>
}

export interface SmtpSink {
  readonly smtp: SmtpConfig
  readonly mails: SunkMail[]
  /** What the server answers to the recipients of the next mails: one refusal each. */
  readonly refusals: { code: number; message: string }[]
  close(): Promise<void>
}

export async function startSmtpSink(): Promise<SmtpSink> {
  const mails: SunkMail[] = []
  const refusals: { code: number; message: string }[] = []
  const server = new SMTPServer({
    authOptional: true,
    onRcptTo(_address, _session, callback) {
      const refusal = refusals.shift()
      callback(refusal ? Object.assign(new Error(refusal.message), { responseCode: refusal.code }) : null)
    },
    async onData(stream, session, callback) {
      mails.push(
        readMail(
          await text(stream),
          session.envelope.rcptTo.map(({ address }) => address),
        ),
      )
      callback()
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const smtp: SmtpConfig = {
    host: '127.0.0.1',
    port: (server.server.address() as AddressInfo).port,
    implicitTls: false,
    starttls: 'auto',
    verifyCertificate: false,
    caFile: null,
    auth: null,
    domain: 'chat.example',
    from: 'Chat <notifications@chat.example>',
    replyTo: null,
    returnPath: null,
  }
  return { smtp, mails, refusals, close: () => new Promise<void>((resolve) => server.close(resolve)) }
}

function readMail(raw: string, to: string[]): SunkMail {
  const { headers, body } = split(raw)
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1] ?? ''
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => split(part.replace(/^\r\n/, '')))
  return {
    to,
    raw,
    headers,
    parts: Object.fromEntries(
      parts.map((part) => [(part.headers['content-type'] ?? '').split(';')[0], decode(part)]),
    ),
  }
}

interface Part {
  headers: Record<string, string>
  body: string
}

function split(text: string): Part {
  const end = text.indexOf('\r\n\r\n')
  const lines = text
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 1).trim(),
  ])
  return { headers: Object.fromEntries(headers), body: text.slice(end + 4) }
}

function decode({ headers, body }: Part): string {
  const encoding = headers['content-transfer-encoding']?.toLowerCase()
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  if (encoding !== 'quoted-printable') return body
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
