// What one kind of request costs a server, beside what the same bytes cost a bare one.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { settled } from './database.ts'
import { load, type Result } from './load.ts'
import { cpuOf } from './processes.ts'
import { generator } from './random.ts'
import { benches, viewers, type Bench, type Request } from './scenarios.ts'
import type { Seeded } from './seed.ts'
import type { BenchServer } from './server.ts'

export interface Cost extends Result {
  /** Milliseconds of processor time a request, all that follows from it included. */
  cpu: number
}

/** What is measured of a kind of request: how often it is asked, and with which index it begins. */
export interface Measuring<Data> {
  bench: Request<Data>
  count: number
  from?: number
  /** The most that it may take in milliseconds, of which a quarter is to warm up. */
  forMs?: number
  /** Called when it is warm. */
  begin?: () => Promise<void>
}

/** Measures `count` requests of a benchmark, the first of which has the index `from`. */
export async function measure<Data>(
  server: BenchServer,
  seeded: Data,
  { bench, count, from = 0, forMs = Infinity, begin }: Measuring<Data>,
): Promise<Cost & { databaseCpu: number }> {
  const random = generator(3 + from)
  const shots = Array.from({ length: count }, (_, i) => bench.shot(seeded, from + i, random))
  const warm = Math.min(viewers * 2, Math.floor(count / 4))
  const concurrency = bench.concurrency ?? 20
  const shotAt = (i: number) => shots[i] as (typeof shots)[0]
  const warmed = await load(server.base, { total: warm, concurrency, forMs: forMs / 4 }, shotAt)
  await settled(server.databaseUrl)
  await begin?.()
  const before = cpuOf(server.pids)
  const databaseBefore = cpuOf(server.pids.slice(1))
  const left = { total: count - warmed.requests, concurrency, forMs: (forMs * 3) / 4 }
  const result = await load(server.base, left, (i) => shotAt(warmed.requests + i))
  await settled(server.databaseUrl)
  const databaseCpu = (cpuOf(server.pids.slice(1)) - databaseBefore) / result.requests
  return { ...result, cpu: (cpuOf(server.pids) - before) / result.requests, databaseCpu }
}

/** A server that has run for a minute: compiled, connected, with warm caches. */
export async function warmUp(server: BenchServer, seeded: Seeded): Promise<void> {
  const random = generator(5)
  const mix = benches['mix'] as Bench
  await load(server.base, { total: 2000, concurrency: 16 }, (i) => mix.shot(seeded, i, random))
  await settled(server.databaseUrl)
}

/**
 * Milliseconds of processor time that the bare server needs for an answer of so many bytes, while it is never without a
 * request: one that waits for the next is woken for each, which costs it as much again as a short answer.
 */
export async function measureFloor(bytes: number): Promise<number> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'floor.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  try {
    const ended = once(child, 'exit').then(() => Promise.reject(new Error('the bare server ended')))
    const [port] = (await Promise.race([once(child.stdout, 'data'), ended])) as [Buffer]
    const base = `http://127.0.0.1:${String(port).trim()}`
    const total = Math.min(60_000, Math.ceil(4e9 / bytes))
    const shot = () => ({ path: `/${Math.round(bytes)}` })
    await load(base, { total: Math.ceil(total / 4), concurrency: 16 }, shot)
    const before = cpuOf([child.pid as number])
    await load(base, { total, concurrency: 16 }, shot)
    return (cpuOf([child.pid as number]) - before) / total
  } finally {
    child.kill()
  }
}
