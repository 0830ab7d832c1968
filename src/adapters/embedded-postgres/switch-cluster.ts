// Puts a cluster of a newer PostgreSQL into the place of the former one, which is kept. Interrupted anywhere, the next
// start goes on: there is always one whole cluster, and never an empty one in its place.
import { access, readdir, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Places } from './places.ts'

/** Where the new cluster is made. What lies there was not finished. */
export const draftOf = ({ cluster }: Places) => `${cluster}.new`
/** Where it waits when it is whole. */
const readyOf = ({ cluster }: Places) => `${cluster}.upgraded`
/** Such as `postgres.17`. */
export const formerOf = ({ cluster }: Places, major: number) => `${cluster}.${major}`

/** Takes the draft for whole, and puts it into the place of the former cluster. Both must be shut down. */
export async function switchClusters(places: Places): Promise<void> {
  await rename(draftOf(places), readyOf(places))
  await finishSwitch(places)
}

/** Ends a switch that was interrupted. Does nothing without one. */
export async function finishSwitch(places: Places): Promise<void> {
  if (!(await exists(readyOf(places)))) return
  const former = await readFile(path.join(places.cluster, 'PG_VERSION'), 'utf8').catch(() => null)
  if (former !== null) await rename(places.cluster, formerOf(places, Number.parseInt(former, 10)))
  await rename(readyOf(places), places.cluster)
}

/** Names of the folders of former clusters. */
export async function listFormer(places: Places): Promise<string[]> {
  const name = new RegExp(`^${path.basename(places.cluster)}\\.\\d+$`)
  const found = await readdir(places.dataDir).catch(() => [])
  return found.filter((entry) => name.test(entry)).map((entry) => path.join(places.dataDir, entry))
}

export const removeDraft = (places: Places): Promise<void> =>
  rm(draftOf(places), { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  )
