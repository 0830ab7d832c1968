// Name servers in the test's hand.
import type { Dns } from '#ports/dns.ts'

interface Entry {
  /** Hosts that take mail. */
  mx?: string[]
  addresses?: string[]
  /** Nobody answers. */
  fails?: boolean
  /** Nobody ever answers. */
  hangs?: boolean
}

export interface TestDns extends Dns {
  /** What is known of a name from now on; null: there is no such name. */
  set(name: string, entry: Entry | null): void
  /** All names that were asked for, in order. */
  readonly asked: string[]
}

/** Every name has an address, unless the test says otherwise. */
export function createTestDns(): TestDns {
  const entries = new Map<string, Entry | null>()
  const asked: string[] = []
  async function look(name: string): Promise<Entry> {
    asked.push(name)
    const entry = entries.get(name)
    if (entry?.hangs) await new Promise(() => {})
    if (entry?.fails) throw new Error('no name server answers')
    return entry === undefined ? { addresses: ['9.9.9.9'] } : (entry ?? {})
  }
  return {
    asked,
    set: (name, entry) => void entries.set(name, entry),
    findMailHosts: async (domain) => (await look(domain)).mx ?? [],
    findAddresses: async (host) => (await look(host)).addresses ?? [],
  }
}
