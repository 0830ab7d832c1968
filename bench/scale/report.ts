// What was measured, as tables.
import type { Cost } from '../kit/measure.ts'
import type { Counted, Facts } from './facts.ts'
import type { Work } from './work.ts'

/** A kind of request, each number that of one request. */
export interface Asked
  extends
    Pick<Cost, 'cpu' | 'p50' | 'p99' | 'requests' | 'errors' | 'bytes'>,
    Pick<Counted, 'pages' | 'read'> {
  databaseCpu: number
  slowest: Counted['slowest'][number] | null
}

export interface Vacuum {
  table: string
  /** Rows that nobody saw any more. */
  dead: number
  seconds: number
}

interface Column {
  posts: number
  people: number
  requests: Record<string, Asked>
}

export function printRequests(columns: readonly Column[]): void {
  const names = Object.keys(columns[0]?.requests ?? {})
  const print = (title: string, cell: (asked: Asked) => string) => {
    console.log(title)
    console.table(
      Object.fromEntries(
        names.map((name) => [
          name,
          Object.fromEntries(
            columns.map(({ posts, people, requests }) => [
              `${posts} posts, ${people} people`,
              requests[name] ? cell(requests[name]) : '',
            ]),
          ),
        ]),
      ),
    )
  }
  if (names.length === 0) return
  print(
    'CPU ms a request (of it PostgreSQL)',
    (one) => `${one.cpu.toFixed(2)} (${one.databaseCpu.toFixed(2)})`,
  )
  print(
    'pages of the database a request, and of them not in its memory',
    (one) => `${one.pages.toFixed(0)}, ${one.read.toFixed(1)}`,
  )
  print('ms, p50 and p99', (one) => `${one.p50.toFixed(1)}, ${one.p99.toFixed(0)}`)
}

export function printWorks(works: readonly Work[]): void {
  if (works.length === 0) return
  console.table(
    works.map(({ name, seconds, cpu, databaseCpu, pages, waits, locked, told }) => ({
      work: name,
      seconds: Number(seconds.toFixed(2)),
      'CPU s (PostgreSQL)': `${(cpu / 1000).toFixed(2)} (${(databaseCpu / 1000).toFixed(2)})`,
      pages,
      'reads p50': Number(waits.p50.toFixed(1)),
      p99: Number(waits.p99.toFixed(0)),
      max: Number(waits.max.toFixed(0)),
      failed: waits.errors,
      locked,
      told,
    })),
  )
  for (const { name, slowest } of works)
    for (const { ms, calls, pages, text } of slowest)
      if (ms > 500)
        console.log(
          `${name}: ${ms.toFixed(0)} ms at most, ${calls} times, ${pages.toFixed(0)} pages: ${text.slice(0, 200)}`,
        )
}

export function printFacts(facts: Facts): void {
  console.log(`${facts.posts} statuses, the database has ${facts.size} MB`)
  console.table(
    facts.tables.map((one) => ({ ...one, 'bytes a post': Math.round((one.all * 1e6) / facts.posts) })),
  )
  console.log('read from end to end:', facts.scanned)
  console.log('indexes that nothing here reads:', facts.unused)
}

export function printVacuums(vacuums: readonly Vacuum[]): void {
  if (vacuums.length > 0) console.table(vacuums)
}
