// A program that forgets old statuses in the database of its first argument, as a worker does, until it is killed.
import { createContext } from '#app/context.ts'
import { loadConfig } from '#config/config.ts'
import { systemClock } from '#ports/clock.ts'
import { runMaintenance } from '#domain/maintenance/retention/run-maintenance.ts'
import { quietLog } from '#test/app/log.ts'

const [databaseUrl = '', dataDir = ''] = process.argv.slice(2)
const config = loadConfig({ DATA_DIR: dataDir, LOCAL_DOMAIN: 'chat.example' })
const app = await createContext({ config, databaseUrl, clock: systemClock, log: quietLog, connections: 2 })
let removed = 0
const end = await runMaintenance(app.ctx, 'remote-statuses', {
  share: 0.5,
  onProgress(progress) {
    removed += progress.removed
    process.stdout.write(`removed ${removed}\n`)
  },
})
process.stdout.write(`${end}\n`)
await app.close()
