// What could not be had is not asked for again for some minutes, whoever sends us there.
import { createHash } from 'node:crypto'
import type { Ctx } from '#ports/ctx.ts'

const hash = (text: string) => createHash('sha256').update(text).digest('base64url')

/** A failure that is remembered under this name, or null. A store that is away remembers none. */
export async function recallFailure<T>(ctx: Ctx, kind: string, name: string): Promise<T | null> {
  const text = await ctx.kv.get(`${kind}:${hash(name)}`).catch(() => null)
  return text === null ? null : (JSON.parse(text) as T)
}

/** Remembers a failure for some seconds. */
export async function rememberFailure(
  ctx: Ctx,
  { kind, name, seconds }: { kind: string; name: string; seconds: number },
  failure: unknown,
): Promise<void> {
  await ctx.kv.set(`${kind}:${hash(name)}`, JSON.stringify(failure), seconds).catch(() => {})
}

export async function forgetFailure(ctx: Ctx, kind: string, name: string): Promise<void> {
  await ctx.kv.delete(`${kind}:${hash(name)}`).catch(() => {})
}

/** True for as many calls with this name as may be in this time; without a store always. */
export async function mayTry(
  ctx: Ctx,
  { kind, name, max, seconds }: { kind: string; name: string; max: number; seconds: number },
): Promise<boolean> {
  return (await countUp(ctx, { kind, name, seconds }, 1)) <= max
}

/** A counter of some seconds after adding to it; without a store 0. */
export function countUp(
  ctx: Ctx,
  { kind, name, seconds }: { kind: string; name: string; seconds: number },
  by: number,
): Promise<number> {
  return ctx.kv.increment(`${kind}:${hash(name)}`, by, seconds).catch(() => 0)
}
