/**
 * Lets all who want the same thing at the same time wait for one piece of work, in this process. `scope`: calls of different
 * scopes share nothing.
 */
export function createSingleFlight<T>(): (scope: object, name: string, work: () => Promise<T>) => Promise<T> {
  const underWay = new WeakMap<object, Map<string, Promise<T>>>()
  return (scope, name, work) => {
    const running = underWay.get(scope) ?? new Map<string, Promise<T>>()
    underWay.set(scope, running)
    const known = running.get(name)
    if (known) return known
    const begun = work().finally(() => running.delete(name))
    running.set(name, begun)
    return begun
  }
}
