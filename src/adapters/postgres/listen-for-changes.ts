// What other programs change beside this process: heard over one connection that only listens (migration
// `changes-told-to-listeners`).
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '#ports/log.ts'
import { hangUp, sayGoodbye } from './say-goodbye.ts'
import { withTimeout } from '#lib/concurrency/with-timeout.ts'

const channel = 'stonechat_changes'
/** Begins what a listener sends to itself, to find out whether it hears. */
const probe = 'probe '

const deaf =
  'changes by other programs are noticed only after seconds, because the database is reached through a pooler: ' +
  'name the way around it in DATABASE_DIRECT_URL'

/** All in milliseconds. */
const times = { connect: 5_000, probe: 5_000, look: 30_000, answer: 10_000, retry: 1_000 }

export interface ListenOptions {
  /** Of the database itself: behind a pooler that shares connections nothing is heard. */
  url: string
  log: Log
  /** Whether a connection with this process id is one of those whose changes this process is told of anyway. */
  isOwn(processId: number): boolean
  /** Gets the name of what was changed; no name where nobody knows what was missed. */
  hear(names: string[]): void
}

export interface Listening {
  close(): Promise<void>
}

/**
 * Hears from now on; a connection that was lost is made anew, as long as it takes. Throws when the first one cannot be
 * made.
 */
export async function listenForChanges(options: ListenOptions): Promise<Listening> {
  const stopping = new AbortController()
  let current = await listen(options)
  const done = (async () => {
    for (;;) {
      await current.lost
      options.hear([])
      const next = await listenAgain(options, stopping.signal)
      if (!next) return
      current = next
    }
  })()
  return {
    async close() {
      stopping.abort()
      await current.close()
      await done
    },
  }
}

interface Ear extends Listening {
  /** Resolves when nothing is heard any more. */
  lost: Promise<void>
}

async function listenAgain(options: ListenOptions, stop: AbortSignal): Promise<Ear | null> {
  for (let isTold = false; !stop.aborted;) {
    try {
      const ear = await listen(options)
      options.hear([])
      if (!stop.aborted) return ear
      await ear.close()
    } catch (error) {
      if (!isTold)
        options.log.warn({ error: String(error) }, 'changes by other programs are not heard: trying again')
      isTold = true
      await sleep(times.retry, undefined, { signal: stop }).catch(() => {})
    }
  }
  return null
}

/** One connection. */
async function listen(options: ListenOptions): Promise<Ear> {
  const client = new pg.Client({
    connectionString: options.url,
    connectionTimeoutMillis: times.connect,
    query_timeout: times.answer,
    keepAlive: true,
    application_name: 'stonechat',
  })
  const [lost, heard] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  // The end follows an error.
  client.on('error', () => {})
  client.once('end', () => lost.resolve())
  const own = probe + randomUUID()
  client.on('notification', ({ processId, payload = '' }) => {
    if (payload === own) heard.resolve()
    if (!payload.startsWith(probe) && !options.isOwn(processId)) options.hear([payload])
  })
  try {
    await client.connect()
    await client.query(`listen ${channel}`)
    await client.query('select pg_notify($1, $2)', [channel, own])
  } catch (error) {
    hangUp(client)
    throw error
  }
  void withTimeout(times.probe, Promise.race([heard.promise, lost.promise])).then((inTime) => {
    if (!inTime) options.log.warn({}, deaf)
  })
  // A connection that is gone without a word is noticed by asking.
  const end = () => sayGoodbye(client)
  const looks = setInterval(() => client.query('select 1').catch(end), times.look).unref()
  void lost.promise.then(() => clearInterval(looks))
  return { lost: lost.promise, close: end }
}
