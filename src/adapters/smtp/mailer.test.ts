import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, describe, expect, test } from 'vitest'
import type { SmtpConfig } from '#config/services.ts'
import { createSmtpMailer } from './mailer.ts'

interface Received {
  from: string
  to: string[]
  user: string | undefined
  secure: boolean
  hostName: string
  raw: string
}

const servers: SMTPServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise<void>((resolve) => server.close(resolve))
})

async function startServer(options: SMTPServerOptions = {}) {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    authMethods: ['PLAIN', 'LOGIN', 'CRAM-MD5'],
    allowInsecureAuth: true,
    onAuth({ username, password, validatePassword }, _session, callback) {
      // CRAM-MD5 shows no password, only what follows from it.
      const isRight = password === undefined ? validatePassword('hush') : password === 'hush'
      callback(isRight ? null : new Error('wrong password'), { user: username })
    },
    async onData(stream, session, callback) {
      const { mailFrom, rcptTo } = session.envelope
      received.push({
        from: mailFrom ? mailFrom.address : '',
        to: rcptTo.map(({ address }) => address),
        user: session.user,
        secure: session.secure,
        hostName: session.hostNameAppearsAs,
        raw: await text(stream),
      })
      callback()
    },
    ...options,
  })
  // A client that breaks off, as some tests make it do, is an error here.
  server.on('error', () => {})
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return { port: (server.server.address() as AddressInfo).port, received }
}

function config(port: number, more: Partial<SmtpConfig> = {}): SmtpConfig {
  return {
    host: '127.0.0.1',
    port,
    implicitTls: false,
    starttls: 'auto',
    verifyCertificate: false,
    caFile: null,
    auth: null,
    domain: 'example.org',
    from: 'Example <notifications@example.org>',
    replyTo: null,
    returnPath: null,
    ...more,
  }
}

const mail = {
  to: 'alice@example.com',
  subject: 'Héllo',
  text: 'See https://example.org/x',
  html: '<p>See</p>',
}

describe('sending', () => {
  test('both forms, headers and envelope arrive', async () => {
    const { port, received } = await startServer()
    const mailer = createSmtpMailer(
      config(port, { replyTo: 'help@example.org', returnPath: 'bounce@example.org' }),
    )
    await mailer.send({ ...mail, headers: { 'List-Unsubscribe': '<https://example.org/u>' } })
    expect(received).toHaveLength(1)
    expect(received[0]).toMatchObject({
      from: 'bounce@example.org',
      to: ['alice@example.com'],
      hostName: 'example.org',
      secure: true,
    })
    const raw = received[0]!.raw
    expect(raw).toMatch(/^From: Example <notifications@example.org>\r$/m)
    expect(raw).toMatch(/^To: alice@example.com\r$/m)
    expect(raw).toMatch(/^Reply-To: help@example.org\r$/m)
    expect(raw).toMatch(/^Subject: =\?UTF-8\?/m)
    expect(raw).toMatch(/^List-Unsubscribe: <https:\/\/example.org\/u>\r$/m)
    expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m)
    expect(raw).toContain('See https://example.org/x')
    expect(raw).toContain('<p>See</p>')
  })

  test.each(['plain', 'login', 'cram_md5'] as const)('signs in by %s', async (method) => {
    const { port, received } = await startServer()
    const auth = { method, login: 'me', password: 'hush' }
    await createSmtpMailer(config(port, { auth, starttls: 'never' })).send(mail)
    expect(received[0]).toMatchObject({ user: 'me', secure: false, from: 'notifications@example.org' })
    const wrong = createSmtpMailer(config(port, { auth: { ...auth, password: 'no' } }))
    await expect(wrong.send(mail)).rejects.toThrow('wrong password')
    expect(received).toHaveLength(1)
  })

  test('TLS from the first byte', async () => {
    const { port, received } = await startServer({ secure: true })
    await createSmtpMailer(config(port, { implicitTls: true })).send(mail)
    expect(received[0]!.secure).toBe(true)
  })

  test('a certificate nobody vouches for, and a server without STARTTLS, are refused when asked for', async () => {
    const withTls = await startServer()
    await expect(
      createSmtpMailer(config(withTls.port, { verifyCertificate: true })).send(mail),
    ).rejects.toThrow('certificate')
    const clear = await startServer({ hideSTARTTLS: true, disabledCommands: ['STARTTLS'] })
    await expect(createSmtpMailer(config(clear.port, { starttls: 'always' })).send(mail)).rejects.toThrow(
      /STARTTLS/,
    )
    expect([...withTls.received, ...clear.received]).toEqual([])
  })

  test('a refused recipient is an error', async () => {
    const { port } = await startServer({
      onRcptTo: (_address, _session, callback) => callback(new Error('no such user')),
    })
    await expect(createSmtpMailer(config(port)).send(mail)).rejects.toThrow('no such user')
  })
})

describe('what people wrote cannot change the mail', () => {
  test.each([
    [{ to: 'a@example.com, b@example.com' }],
    [{ to: 'a@example.com\r\nBcc: b@example.com' }],
    [{ to: 'A <a@example.com>' }],
    [{ to: 'nobody' }],
    [{ subject: 'x\r\nBcc: b@example.com' }],
    [{ headers: { 'X-A': 'x\nBcc: b@example.com' } }],
    [{ headers: { 'X-A: y\r\nBcc': 'b@example.com' } }],
  ])('%j', async (change) => {
    const { port, received } = await startServer()
    await expect(createSmtpMailer(config(port)).send({ ...mail, ...change })).rejects.toThrow(TypeError)
    expect(received).toEqual([])
  })
})
