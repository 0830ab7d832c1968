import { addressBlock } from '#lib/net/cidr.ts'
import type { Limits } from './limits.ts'
import type { FamilyBy } from './rate-limits.ts'

const loopback = new Set(['127.0.0.1', '::1'])

/**
 * Counts one against the address that the request came from; IPv6 counts by its /64. Loopback is exempt: it is
 * the machine's own people and tests. Throws `too_many`.
 */
export async function countAddress(
  limits: Limits,
  address: string,
  family: FamilyBy<'address'>,
): Promise<void> {
  const key = addressBlock(address)
  if (loopback.has(address)) return
  await limits.count(family, key)
}
