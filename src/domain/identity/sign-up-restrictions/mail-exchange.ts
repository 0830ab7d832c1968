// Where mail for a domain goes: many domains of throwaway addresses share the same few hosts.
import type { Ctx } from '#ports/ctx.ts'
import { isIP } from 'node:net'
import { normaliseAddress } from '#lib/net/cidr.ts'
import { normaliseDomain } from '#lib/acct.ts'
import { isPublicAddress } from '#lib/net/special-addresses.ts'
import { withTimeout } from '#lib/concurrency/with-timeout.ts'

/** Milliseconds after which it is gone on with what is known. */
const patience = 5_000
/** Hosts whose addresses are asked for. The names of the others are known all the same. */
const maxHosts = 20
const maxAddresses = 500

export interface MailExchange {
  /** `unreachable`: certainly no mail gets there. `unknown`: nobody said, or not in time. */
  readonly state: 'reachable' | 'unreachable' | 'unknown'
  /** Host names in their one spelling, without the domain itself. */
  readonly hosts: readonly string[]
  readonly addresses: readonly string[]
}

/** The hosts of a normalised domain that take its mail (RFC 5321 section 5.1), and their addresses. Never rejects. */
export async function findMailExchange(
  ctx: Pick<Ctx, 'dns' | 'config'>,
  domain: string,
): Promise<MailExchange> {
  const found = { hosts: [] as string[], addresses: [] as string[], failed: false, takesNone: false }
  const inTime = await withTimeout(patience, ask(ctx, domain, found))
  const { hosts, addresses } = found
  const names = hosts.filter((host) => host !== domain)
  const kept = { hosts: names, addresses: [...new Set(addresses)].slice(0, maxAddresses) }
  if (found.takesNone) return { state: 'unreachable', ...kept }
  if (addresses.length > 0) return { state: 'reachable', ...kept }
  const isSure = inTime && !found.failed && (await knowsThisServer(ctx))
  return { state: isSure ? 'unreachable' : 'unknown', ...kept }
}

/**
 * Whether the name servers know this server itself, as one of the internet. Those of a machine without the internet, or of a network of its own,
 * say of the whole world that it does not exist.
 */
async function knowsThisServer({ dns, config }: Pick<Ctx, 'dns' | 'config'>): Promise<boolean> {
  const host = config.localDomain.replace(/:\d+$/, '')
  if (isIP(host.replace(/^\[|\]$/g, '')) !== 0) return false
  const asked = dns.findAddresses(host).catch(() => [])
  return (await withTimeout(patience, asked)) && (await asked).some(isPublicAddress)
}

interface Found {
  hosts: string[]
  addresses: string[]
  failed: boolean
  takesNone: boolean
}

async function ask({ dns }: Pick<Ctx, 'dns'>, domain: string, found: Found): Promise<void> {
  const named = await dns.findMailHosts(domain).catch(() => null)
  if (named === null) found.failed = true
  // RFC 7505: the one host `.` says that the domain takes no mail.
  if (named?.every((host) => host === '.') && named.length > 0) {
    found.takesNone = true
    return
  }
  // Mail also goes to hosts whose names no host should have, such as `-mx.example`.
  const hosts = (named ?? []).flatMap(
    (host) => normaliseDomain(host) ?? (host.replace(/\.$/, '').toLowerCase() || []),
  )
  // Without such records the domain itself takes its mail.
  found.hosts = [...new Set(hosts.length > 0 ? hosts : [domain])]
  await Promise.all(
    found.hosts.slice(0, maxHosts).map(async (host) => {
      if (isIP(host)) return void found.addresses.push(host)
      const addresses = await dns.findAddresses(host).catch(() => null)
      if (addresses === null) found.failed = true
      else found.addresses.push(...addresses.map(normaliseAddress))
    }),
  )
}
