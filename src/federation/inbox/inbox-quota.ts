// No server fills the queue: of one of which too much waits nothing more is taken, and it sends that again later.
import { LRUCache } from 'lru-cache'
import { measureWaiting } from '#domain/federation/queue/incoming.ts'
import type { Ctx } from '#ports/ctx.ts'
import { tooMany } from '#lib/errors.ts'

/** Of one host: activities, and their bytes as they are stored. */
const maxActivities = 10_000
const maxBytes = 256 * 1024 * 1024
/** How often a host is measured, in milliseconds, and of how many that is remembered. */
const measuredEvery = 1_000
const maxHosts = 10_000

interface Measured {
  at: number
  full: boolean
}

/** By context, of which each server in a process has its own. */
const measured = new WeakMap<Ctx, LRUCache<string, Measured>>()

/** Throws `too_many` when so much of a host waits that it has to wait itself. */
export async function assertRoomFor(ctx: Ctx, host: string): Promise<void> {
  if (await isFull(ctx, host)) throw tooMany('inbox_full', undefined, { retryAfter: 60 })
}

async function isFull(ctx: Ctx, host: string): Promise<boolean> {
  const known = measured.get(ctx) ?? new LRUCache<string, Measured>({ max: maxHosts })
  measured.set(ctx, known)
  const now = ctx.clock.now()
  const last = known.get(host)
  if (last && Math.abs(now - last.at) < measuredEvery) return last.full
  // At once: those who come meanwhile do not measure too.
  known.set(host, { at: now, full: last?.full ?? false })
  const { activities, bytes } = await measureWaiting(ctx, host, maxActivities)
  const full = activities >= maxActivities || bytes >= maxBytes
  if (full && !last?.full) ctx.log.warn({ host, activities, bytes }, 'nothing more is taken from a server')
  known.set(host, { at: now, full })
  return full
}
