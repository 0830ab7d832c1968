// Reading connections that end, or that nobody ends, at a moment that is as bad as can be.
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { beforeEach, expect, inject, onTestFinished, test, vi } from 'vitest'
import { listenForChanges } from '#adapters/postgres/listen-for-changes.ts'
import { openLine } from '#adapters/postgres/question-line.ts'
import { createReaders, type Readers } from '#adapters/postgres/readers.ts'
import { createAsk } from '#adapters/postgres/statements.ts'
import { quietLog } from '#test/app/log.ts'
import { startRelay, type Relay } from '#test/servers/relay.ts'
import { often } from '#test/run/patience.ts'
import { urlOf } from '#test/run/temporary-cluster.ts'

const minute = 60_000
let relay: Relay

beforeEach(async () => {
  relay = await startRelay(urlOf(inject('clusterUrl'), 'postgres'))
})

/** One reader at most. */
async function open(): Promise<Readers> {
  const connection = { connectionString: relay.url }
  const readers = createReaders({
    connection,
    max: 1,
    log: quietLog,
    ask: createAsk(true),
    maxDuration: 10 * minute,
  })
  onTestFinished(async () => {
    await relay.close()
    await readers.close()
  })
  await vi.waitUntil(async () => (await say(readers)) === 'said', often)
  return readers
}

const say = async (readers: Readers) =>
  (await readers.query('select $1::text as word', ['said']))?.rows[0]?.word as string | undefined

test('who asks a reader at the moment in which the database ends it is told to ask elsewhere [ROB-2]', async () => {
  const readers = await open()
  // The end has come, and is read only after the statement was sent.
  relay.cut()
  await expect(say(readers)).rejects.toThrow('the reading connection was lost')
})

test('in the place of an idle reader whose connection went without a word another one is opened [ROB-2]', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const readers = await open()
  relay.forget()
  // It has had nothing to do for long, and nobody hears its goodbye.
  vi.advanceTimersByTime(minute)
  expect(await say(readers)).toBeUndefined()
  await vi.waitUntil(async () => (await say(readers)) === 'said', often)
})

/** What refuses whoever connects, and does not hang up. Counts them. */
async function startRefusing() {
  let count = 0
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    count++
    const fields = ['SFATAL', 'C57P03', 'Mthe database system is starting up', ''].join('\0')
    const head = Buffer.from('E\0\0\0\0')
    head.writeUInt32BE(4 + Buffer.byteLength(fields) + 1, 1)
    const refuse = () => socket.write(Buffer.concat([head, Buffer.from(`${fields}\0`)]))
    socket.on('error', () => {}).once('data', refuse)
    onTestFinished(() => void socket.destroy())
  })
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { host: '127.0.0.1', port, user: 'nobody', database: 'none', count: () => count }
}

test('who asks over a line is answered by nobody, and soon, where the database refuses it and does not hang up [ROB-2]', async () => {
  const { count, ...connection } = await startRefusing()
  const line = openLine({ connection })
  let answer: unknown
  void line.ask('name', 'select 1').then((found) => (answer = found))
  await vi.waitUntil(() => answer !== undefined, often)
  expect([answer, count()]).toEqual([null, 1])
})

const listening = (url: string) => ({ url, log: quietLog, isOwn: () => false, hear() {} })

test('the end of a server does not wait for a listening connection that went without a word [ROB-16]', async () => {
  const ear = await listenForChanges(listening(relay.url))
  onTestFinished(relay.close)
  relay.forget()
  let isClosed = false
  void ear.close().then(() => (isClosed = true))
  await expect.poll(() => isClosed, often).toBe(true)
})

test('who wants to listen tries again where the database refuses it and does not hang up [ROB-2]', async () => {
  const { host, port, user, database } = await startRefusing()
  let isRefused = false
  void listenForChanges(listening(`postgres://${user}@${host}:${port}/${database}`)).catch(
    () => (isRefused = true),
  )
  await expect.poll(() => isRefused, often).toBe(true)
})
