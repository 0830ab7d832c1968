// What an event costs from its commit to its end, as a job of graphile-worker and as a row of the outbox, and how
// long it waits: node bench/events.ts. The effects do nothing in both.
import { run } from 'graphile-worker'
import { createContext } from '#app/context.ts'
import { startEmbeddedPostgres } from '#adapters/embedded-postgres/start.ts'
import { loadConfig } from '#config/config.ts'
import { systemClock } from '#ports/clock.ts'
import { drainOutbox } from '#worker/outbox.ts'
import { cpuOf } from './kit/processes.ts'
import { withDataDir } from './kit/server.ts'
import { asId, type AccountId } from '#lib/id.ts'

const count = 4000
const atOnce = 8
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

async function inParallel(work: () => Promise<unknown>): Promise<void> {
  let left = count
  const one = async () => {
    while (left-- > 0) await work()
  }
  await Promise.all(Array.from({ length: atOnce }, one))
}

async function cost(name: string, work: () => Promise<void>): Promise<void> {
  const [begun, before] = [performance.now(), cpuOf([process.pid])]
  await work()
  const cpu = (cpuOf([process.pid]) - before) / count
  const perSecond = (count / (performance.now() - begun)) * 1000
  console.log(`${name.padEnd(44)} ${cpu.toFixed(2)} CPU ms each, ${perSecond.toFixed(0)} a second`)
}

await withDataDir(async (dataDir) => {
  const postgres = await startEmbeddedPostgres({ dataDir, log: quiet })
  const config = loadConfig({ DATA_DIR: dataDir })
  const app = await createContext({ config, databaseUrl: postgres.url, clock: systemClock, log: quiet })
  const { ctx } = app
  const event = { type: 'marker.updated', accountId: asId<AccountId>('1'), timeline: 'home' } as const

  await cost('an empty transaction, as the floor', () => inParallel(() => ctx.transaction(async () => {})))
  await cost('graphile-worker: add', () => inParallel(() => ctx.jobs.add('nothing', event)))
  let done = 0
  await cost('graphile-worker: run (4 at once)', async () => {
    const runner = await run({
      pgPool: app.database.pool,
      taskList: { nothing: async () => void done++ },
      concurrency: 4,
      noHandleSignals: true,
    })
    while (done < count) await new Promise((resolve) => setTimeout(resolve, 5))
    await runner.stop()
  })
  await cost('outbox: emit in a transaction', () => inParallel(() => ctx.transaction((tx) => tx.emit(event))))
  await cost('outbox: drain', async () => {
    while ((await drainOutbox(ctx)) > 0);
  })

  await app.close()
  await postgres.stop()
})
