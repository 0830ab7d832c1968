// Names of hosts → addresses.

import { readFile } from 'node:fs/promises'
import { lookup, Resolver } from 'node:dns/promises'
import { normaliseAddress } from '#lib/net/cidr.ts'

/** All addresses of a name, in the order in which to try them. Rejects when there are none. */
export type Resolve = (hostname: string) => Promise<string[]>

/** As every other program of this machine does. Only for names that the operator chose: see `createDnsResolve`. */
export const resolveBySystem: Resolve = async (hostname) => {
  const found = await lookup(hostname, { all: true })
  return found.map(({ address }) => address)
}

export interface DnsOptions {
  /** `address:port` of the name servers, instead of the system's. */
  servers?: string[]
  hostsFile?: string
}

/**
 * Looks into the hosts file and then asks the name servers itself. The system's look-up would hold one of the few
 * threads that files and passwords need too, for as long as the name servers of a stranger keep it waiting.
 */
export function createDnsResolve({ servers, hostsFile = '/etc/hosts' }: DnsOptions = {}): Resolve {
  const resolver = new Resolver({ timeout: 2000, tries: 2, maxTimeout: 3000 })
  if (servers) resolver.setServers(servers)
  return async (hostname) => {
    const listed = await readHosts(hostsFile, hostname)
    if (listed.length > 0) return listed
    const answers = await Promise.allSettled([resolver.resolve6(hostname), resolver.resolve4(hostname)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length > 0) return addresses
    throw new Error(`${hostname} has no address`, {
      cause: answers.map((answer) => (answer.status === 'rejected' ? answer.reason : null)),
    })
  }
}

/** The addresses that a hosts file gives a name. Empty when it has none, or cannot be read. */
export async function readHosts(file: string, hostname: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    return names.some((name) => name.toLowerCase() === hostname) ? [normaliseAddress(address)] : []
  })
}
