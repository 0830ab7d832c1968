import { LRUCache } from 'lru-cache'
import type { RowCache } from '#ports/cache.ts'
import type { Changes } from '#ports/changes.ts'
import type { Clock } from '#ports/clock.ts'
import type { AnyId } from '#lib/id.ts'

interface Options {
  clock: Clock
  changes: Pick<Changes, 'listenToShown'>
  /** The kinds of changes, each told with the id of a row here, by which it is outdated. */
  kinds: readonly string[]
  /** Rows at most: those that were read first go first. */
  max: number
  /** Milliseconds for which a row is used at most: so late may be what nobody was told. */
  freshFor: number
}

/** What changed while something was being read. */
function createReadings() {
  /** Of each reading under way; null: anything may have changed. */
  const underWay = new Set<{ changed: Set<string> | null }>()
  return {
    changed(id: string): void {
      for (const { changed } of underWay) changed?.add(id)
    },
    allChanged(): void {
      for (const reading of underWay) reading.changed = null
    },
    /** Does `work`, which can ask whether a row is still what it was when it began. */
    async during(work: (isCurrent: (id: string) => boolean) => Promise<void>): Promise<void> {
      const reading = { changed: new Set<string>() as Set<string> | null }
      underWay.add(reading)
      try {
        await work((id) => reading.changed?.has(id) === false)
      } finally {
        underWay.delete(reading)
      }
    },
  }
}

/** Keeps rows until they are told to have changed. One that changed while it was being read is not kept. */
export function createRowCache<Id extends AnyId, Row extends object>({
  clock,
  changes,
  kinds,
  max,
  freshFor,
}: Options): RowCache<Id, Row> {
  const entries = new LRUCache<string, { row: Row; since: number }>({ max })
  const readings = createReadings()

  function drop(id: string | undefined): void {
    if (id === undefined) {
      entries.clear()
      readings.allChanged()
    } else {
      entries.delete(id)
      readings.changed(id)
    }
  }

  changes.listenToShown((names) => {
    if (names.length === 0) drop(undefined)
    for (const name of names) {
      const [kind = name, id] = name.split(' ', 2)
      if (kinds.includes(kind)) drop(id)
    }
  })

  // What is used is read anew after `freshFor` and is the newest then: noting each use would gain nothing.
  function freshRow(id: Id, now: number): Row | undefined {
    const entry = entries.peek(id)
    return entry && Math.abs(now - entry.since) < freshFor ? entry.row : undefined
  }

  return {
    peek: (id) => freshRow(id, clock.now()),
    async getMany(ids, read) {
      const found = new Map<Id, Row>()
      const missing: Id[] = []
      const since = clock.now()
      for (const id of ids) {
        const row = freshRow(id, since)
        if (row) found.set(id, row)
        else missing.push(id)
      }
      if (missing.length === 0) return found
      await readings.during(async (isCurrent) => {
        for (const [id, row] of await read(missing)) {
          found.set(id, row)
          if (isCurrent(id)) entries.set(id, { row, since })
        }
      })
      return found
    },
  }
}
