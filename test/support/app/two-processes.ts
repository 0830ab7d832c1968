// Two processes of one server, as far as memory is concerned: contexts on one database, with a bus that can be cut.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createMemoryBus } from '#adapters/memory/bus.ts'
import { createContext, type App } from '#app/context.ts'
import { loadConfig } from '#config/config.ts'
import { createWebApp } from '#http/server-app.ts'
import type { Bus } from '#ports/bus.ts'
import { createPeople, type Person } from '../people/people.ts'
import { createTestClock, type TestClock } from './clock.ts'
import { freshDatabase } from './databases.ts'
import { recordingLog } from './log.ts'

export interface TwoProcesses {
  readonly here: App
  readonly there: App
  readonly clock: TestClock
  readonly databaseUrl: string
  /** The statements of both, in their order. */
  readonly queries: string[]
  /** Signs up `here`. */
  person(name: string): Promise<Person>
  /** Cut, the bus loses what it is told. */
  cut(isCut: boolean): void
  close(): Promise<void>
}

/** `connections`: of each process to the database, at most. */
export async function startTwoProcesses({
  connections,
}: { connections?: number } = {}): Promise<TwoProcesses> {
  const clock = createTestClock()
  const log = recordingLog()
  const shared = createMemoryBus({ log })
  let isCut = false
  const bus: Bus = { ...shared, publish: (...message) => (isCut ? undefined : shared.publish(...message)) }
  const queries: string[] = []
  const database = await freshDatabase()
  const folder = await mkdtemp(path.join(tmpdir(), 'stonechat-two-'))
  const start = () =>
    createContext({
      config: loadConfig({ DATA_DIR: folder, LOCAL_DOMAIN: 'chat.example', RATE_LIMITS: 'off' }),
      databaseUrl: database.url,
      clock,
      log,
      bus,
      ...(connections !== undefined && { connections }),
      onQuery: (text) => queries.push(text),
      listens: true,
    })
  const here = await start()
  const there = await start()
  const web = createWebApp(here.ctx)
  const { person } = createPeople(here.ctx, async (target, init) =>
    web.fetch(new Request(new URL(target, 'http://chat.example'), init)),
  )
  return {
    here,
    there,
    clock,
    databaseUrl: database.url,
    queries,
    person: (name) => person(name),
    cut: (next) => void (isCut = next),
    async close() {
      await here.close()
      await there.close()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
