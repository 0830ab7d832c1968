import { reopenHost } from '#domain/server/hosts/breaker.ts'
import type { Ctx } from '#ports/ctx.ts'

/** How long a host that was heard of is not looked at again, in milliseconds, and of how many that is remembered. */
const quietTime = 10_000
const maxHosts = 10_000

/** By context, of which each server in a process has its own. */
const heard = new WeakMap<Ctx, Map<string, number>>()

/** A host that signs requests is there: what waits for it is delivered. */
export async function markHostAlive(ctx: Ctx, host: string): Promise<void> {
  const times = heard.get(ctx) ?? new Map<string, number>()
  heard.set(ctx, times)
  const now = ctx.clock.now()
  const last = times.get(host)
  if (last !== undefined && Math.abs(now - last) < quietTime) return
  if (times.size >= maxHosts) times.clear()
  times.set(host, now)
  await reopenHost(ctx, host)
}
