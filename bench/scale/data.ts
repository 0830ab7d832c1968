// Where the data of a server of one size are while it is measured, and for the next time where that is wanted.
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { withDataDir, withServer } from '../kit/server.ts'
import { seedSize } from './seed-size.ts'
import type { Grown, Size } from './size.ts'
import { setTimetable } from './work.ts'
import { withWatchedFolder } from '#test/processes/watched-folder.ts'

/** While everything is made: what would be done again and again is done once at the end. */
const seeding = {
  POSTGRES_SETTINGS:
    'autovacuum=off max_wal_size=8GB checkpoint_timeout=30min wal_level=minimal max_wal_senders=0 shared_buffers=2GB',
}

type Measure = (dataDir: string, grown: Grown) => Promise<void>

/**
 * Runs `work` with the data folder of a server of this size, which is made first. In the folder `kept` it stays, and is
 * found again; without one it is temporary.
 */
export async function withSize(size: Size, kept: string | undefined, work: Measure): Promise<void> {
  if (kept === undefined) {
    await withDataDir(async (dataDir) => work(dataDir, await make(dataDir, size)))
    return
  }
  await withWatchedFolder('stonechat-bench-', async (watched) => {
    // Servers have it in their environment, and so end with this process, however that ends.
    process.env['STONECHAT_BENCH'] = watched
    await workOnKept(path.join(kept, `${size.posts}-${size.people}`), size, work)
  })
}

async function workOnKept(folder: string, size: Size, work: Measure): Promise<void> {
  const [dataDir, facts] = [path.join(folder, 'data'), path.join(folder, 'grown.json')]
  if (!existsSync(facts)) {
    if (existsSync(dataDir)) throw new Error(`${dataDir} was not finished: remove it`)
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    await writeFile(facts, JSON.stringify(await make(dataDir, size)))
  }
  await work(dataDir, JSON.parse(await readFile(facts, 'utf8')) as Grown)
}

/** Its server does nothing by itself meanwhile: it has no indexes to look with. */
const make = (dataDir: string, size: Size): Promise<Grown> =>
  withServer(
    dataDir,
    async (server) => {
      await setTimetable(server.databaseUrl, false)
      const tell = (what: string) => console.log(`${size.posts} posts, ${size.people} people: ${what}`)
      const grown = await seedSize(server.databaseUrl, size, tell)
      await setTimetable(server.databaseUrl, true)
      return grown
    },
    seeding,
  )
