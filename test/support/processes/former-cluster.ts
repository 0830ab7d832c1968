// A DATA_DIR whose embedded database an earlier major version of PostgreSQL has written.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { chooseAccount } from '#adapters/embedded-postgres/account.ts'
import { chooseAddress, databaseUrl } from '#adapters/embedded-postgres/address.ts'
import { makeClusterWith } from '#adapters/embedded-postgres/cluster.ts'
import { findFormerPrograms } from '#adapters/embedded-postgres/former-programs.ts'
import { defaultDatabase, placesIn } from '#adapters/embedded-postgres/places.ts'
import { startServer } from '#adapters/embedded-postgres/server.ts'
import type { Log } from '#ports/log.ts'

/** Makes the cluster in `dataDir` and runs it while `work` fills its database. Fetches the programs by npm. */
export async function withFormerCluster(
  { dataDir, major, log }: { dataDir: string; major: number; log: Log },
  work: (databaseUrl: string) => Promise<void>,
): Promise<void> {
  const places = placesIn(dataDir)
  const account = await chooseAccount(places.cluster)
  for (const file of [places.passwordFile, places.logFile])
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const password = 'former'
  await writeFile(places.passwordFile, `${password}\n`, { mode: 0o600 })
  const { bin } = await findFormerPrograms({ major, folder: null, account, dataDir, tell: () => {} })
  await makeClusterWith(places, { bin, major }, { account, password })
  const address = await chooseAddress(places.cluster)
  const server = await startServer({ places, bin, account, address, password, settings: {}, log })
  await work(databaseUrl(address, password, defaultDatabase)).finally(() => server.stop())
}
