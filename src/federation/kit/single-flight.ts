import type { Ctx } from '#ports/ctx.ts'

/** Lets all who want the same thing at the same time wait for one piece of work, in this process. */
export function createSingleFlight<T>(): (ctx: Ctx, name: string, work: () => Promise<T>) => Promise<T> {
  const underWay = new WeakMap<Ctx, Map<string, Promise<T>>>()
  return (ctx, name, work) => {
    const running = underWay.get(ctx) ?? new Map<string, Promise<T>>()
    underWay.set(ctx, running)
    const known = running.get(name)
    if (known) return known
    const begun = work().finally(() => running.delete(name))
    running.set(name, begun)
    return begun
  }
}
