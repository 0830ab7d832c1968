// The embedded database on to the major version of PostgreSQL that this program brings.
import { statfs } from 'node:fs/promises'
import type { Log } from '#ports/log.ts'
import { chooseAccount, type Account } from './account.ts'
import { chooseAddress, databaseUrl } from './address.ts'
import { findBinaries, type Binaries } from './binaries.ts'
import { makeClusterWith, readPassword, readVersion } from './cluster.ts'
import { findFormerPrograms } from './former-programs.ts'
import { bytesIn, defaultDatabase, placesIn, type Places } from './places.ts'
import { startServer, type Server } from './server.ts'
import { sizedSettings } from './sizing.ts'
import { draftOf, finishSwitch, formerOf, removeDraft, switchClusters } from './switch-cluster.ts'

export interface ClusterUpgrade {
  dataDir: string
  /** Folder of the former version's programs; null: they are looked for. */
  programs: string | null
  log: Log
  tell: (line: string) => void
  /** Copies everything from the database at the one URL into the one at the other. */
  copy: (from: string, to: string) => Promise<void>
}

export interface Upgraded {
  from: number
  to: number
  /** Where the former cluster is kept. */
  kept: string
}

/**
 * Makes a cluster of this program's PostgreSQL beside the one that is there, has everything copied, and puts it into
 * its place; the former one is kept. Null when it is of this version already. Interrupted, the former one is still in
 * its place, and it can be run again. The caller holds the lock on `dataDir`. Throws an Error of one line.
 */
export async function upgradeCluster(options: ClusterUpgrade): Promise<Upgraded | null> {
  const places = placesIn(options.dataDir)
  await finishSwitch(places)
  const from = await readVersion(places)
  const account = await chooseAccount(places.cluster)
  const binaries = await findBinaries(account, places.dataDir)
  if (from === null) throw new Error(`There is no database in ${places.dataDir} to upgrade`)
  if (from === binaries.major) return null
  if (from > binaries.major)
    throw new Error(`The database is of PostgreSQL ${from}, and this Stonechat brings only ${binaries.major}`)
  await assertSpace(places)
  const former = await findFormerPrograms({ ...options, major: from, folder: options.programs, account })
  await removeDraft(places)
  await copyInto(places, { former, binaries, account, options })
  await switchClusters(places)
  return { from, to: binaries.major, kept: formerOf(places, from) }
}

interface Parts {
  former: Binaries
  binaries: Binaries
  account: Account | null
  options: ClusterUpgrade
}

async function copyInto(places: Places, { former, binaries, account, options }: Parts): Promise<void> {
  const password = await readPassword(places)
  const draft: Places = { ...places, cluster: draftOf(places), logFile: `${places.logFile}.new` }
  await makeClusterWith(draft, binaries, { account, password })
  const start = async (where: Places, bin: string, settings: Record<string, string>) => {
    const address = await chooseAddress(where.cluster)
    const server = await startServer({
      places: where,
      bin,
      account,
      address,
      password,
      settings,
      log: options.log,
    })
    return { server, url: databaseUrl(address, password, defaultDatabase) }
  }
  const running: Server[] = []
  try {
    options.tell(`Starting PostgreSQL ${former.major} on ${places.cluster} …`)
    // Without settings: an earlier version does not know all of ours.
    const old = await start(places, former.bin, {})
    running.push(old.server)
    const settings = { ...(await sizedSettings(places)), fsync: 'on' }
    const next = await start(draft, binaries.bin, settings)
    running.push(next.server)
    options.tell(`Copying into PostgreSQL ${binaries.major} …`)
    await options.copy(old.url, next.url)
  } finally {
    for (const server of running.toReversed()) await server.stop()
  }
}

/** The copy needs about as much as the original. */
async function assertSpace(places: Places): Promise<void> {
  const needed = await bytesIn(places.cluster)
  const { bavail, bsize } = await statfs(places.dataDir)
  if (bavail * bsize > needed) return
  const shown = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`
  throw new Error(
    `The copy of the database needs ${shown(needed)} in ${places.dataDir}, and only ${shown(bavail * bsize)} are free: make room first`,
  )
}
