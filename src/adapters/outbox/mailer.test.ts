import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordingLog } from '#test/app/log.ts'
import { createOutboxMailer } from './mailer.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'stonechat-outbox-'))
})
afterAll(() => rm(root, { recursive: true }))

const clock = { now: () => Date.UTC(2026, 0, 2, 3, 4, 5) }

test('a mail becomes a private file; its links, not its recipient, go to the log', async () => {
  const log = recordingLog()
  const directory = path.join(root, 'first', 'outbox')
  const mailer = createOutboxMailer({ directory, from: 'notifications@example.org', clock, log })
  await mailer.send({
    to: 'alice@example.com',
    subject: 'Bestätige',
    text: 'Go to http://localhost:3000/auth/confirmation?token=abc&x=1.\nOr (https://example.org/a)',
    html: '<p>Go <a href="https://example.org/only-html">there</a></p>',
    headers: { 'X-Purpose': 'confirmation' },
  })
  const [name, ...others] = await readdir(directory)
  expect(others).toEqual([])
  expect(name).toMatch(/^2026-01-02T03-04-05\.000Z-[0-9a-f]{8}\.eml$/)
  const file = path.join(directory, name!)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await stat(directory)).mode & 0o777).toBe(0o700)
  const raw = await readFile(file, 'utf8')
  expect(raw).toContain('Date: Fri, 02 Jan 2026 03:04:05 +0000\r\n')
  expect(raw).toContain('To: alice@example.com\r\nSubject: Bestätige\r\n')
  expect(raw).toContain('X-Purpose: confirmation\r\n')
  expect(raw).toContain('http://localhost:3000/auth/confirmation?token=abc&x=1.\r\n')
  const boundary = /boundary="([^"]+)"/.exec(raw)![1]!
  expect(raw.split(`--${boundary}`)).toHaveLength(4)
  expect(log.lines).toHaveLength(1)
  expect(log.lines[0]!.fields).toEqual({
    file: name,
    subject: 'Bestätige',
    links: ['http://localhost:3000/auth/confirmation?token=abc&x=1', 'https://example.org/a'],
  })
  expect(JSON.stringify(log.lines)).not.toContain('alice')
})

test('several at the same instant are several files; a forged header is refused', async () => {
  const directory = path.join(root, 'second')
  const mailer = createOutboxMailer({ directory, clock, log: recordingLog() })
  const mail = { to: 'a@example.com', subject: 'x', text: 'x', html: 'x' }
  await Promise.all([mailer.send(mail), mailer.send(mail), mailer.send(mail)])
  await expect(mailer.send({ ...mail, subject: 'x\nBcc: b@example.com' })).rejects.toThrow(TypeError)
  expect(await readdir(directory)).toHaveLength(3)
})
