// Settings of the database that follow from the machine, or from the share of it that a container or service gets, and
// from what the database holds.
import { describeMachine, type Machine } from '#adapters/machine.ts'
import { storedBytes, type Places } from './places.ts'
import { defaultSettings } from './settings.ts'

const megabyte = 2 ** 20

/** Megabytes for the buffers of a database that holds next to nothing: what is read again and again, catalogues first. */
export const leastBuffers = 24

/** The defaults, and what follows from this machine and what is stored in the cluster at these places. */
export const sizedSettings = async (places: Places): Promise<Record<string, string>> => ({
  ...defaultSettings,
  ...settingsFor(describeMachine(), await storedBytes(places)),
})

/**
 * Returns memory and workers for PostgreSQL. It shares the machine with the server: an eighth of the memory for its
 * buffers, where a machine of its own would give a quarter, and no more than a quarter of what is `stored`, in bytes: the
 * system keeps pages as well, and gives them up to whoever needs the memory. PostgreSQL has some 18 MB of what counts the
 * pages for each gigabyte of them, used or not.
 */
export function settingsFor({ memory, cores }: Machine, stored: number): Record<string, string> {
  const share = (part: number, [least, max]: [number, number]) =>
    `${Math.round(Math.min(max, Math.max(least, memory / part / megabyte)))}MB`
  const buffers = Math.min(2_048, Math.max(leastBuffers, stored / 4 / megabyte))
  return {
    shared_buffers: share(8, [leastBuffers, buffers]),
    effective_cache_size: share(2, [256, 65_536]),
    work_mem: share(256, [4, 32]),
    maintenance_work_mem: share(16, [64, 512]),
    max_wal_size: share(8, [512, 4_096]),
    max_worker_processes: String(Math.max(4, cores)),
    max_parallel_workers: String(Math.max(2, Math.min(8, cores))),
    max_parallel_maintenance_workers: String(Math.max(1, Math.min(4, Math.floor(cores / 2)))),
    autovacuum_max_workers: cores >= 4 ? '3' : '2',
  }
}
