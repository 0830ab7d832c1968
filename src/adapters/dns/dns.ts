import { Resolver } from 'node:dns/promises'
import type { Dns } from '#ports/dns.ts'
import { readHosts } from '../http-client/resolve.ts'

export interface DnsOptions {
  /** `address:port` of the name servers, instead of the system's. */
  servers?: string[]
  hostsFile?: string
}

/** What name servers say when they know that there is nothing. All else is a failure. */
const nothing = new Set(['ENOTFOUND', 'ENODATA'])

/** Asks the name servers itself; the hosts file knows addresses, too. */
export function createDns({ servers, hostsFile = '/etc/hosts' }: DnsOptions = {}): Dns {
  const resolver = new Resolver({ timeout: 2000, tries: 2, maxTimeout: 3000 })
  if (servers) resolver.setServers(servers)
  return {
    async findMailHosts(domain) {
      const found = await orNothing(resolver.resolveMx(domain))
      return found.toSorted((a, b) => a.priority - b.priority).map(({ exchange }) => exchange || '.')
    },
    async findAddresses(host) {
      const listed = await readHosts(hostsFile, host)
      if (listed.length > 0) return listed
      const [six, four] = await Promise.allSettled([
        orNothing(resolver.resolve6(host)),
        orNothing(resolver.resolve4(host)),
      ])
      const found = [six, four].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
      const failed = [six, four].find((answer) => answer.status === 'rejected')
      if (found.length === 0 && failed) throw failed.reason
      return found
    },
  }
}

async function orNothing<T>(answer: Promise<T[]>): Promise<T[]> {
  try {
    return await answer
  } catch (error) {
    if (nothing.has((error as { code?: string }).code ?? '')) return []
    throw error
  }
}
