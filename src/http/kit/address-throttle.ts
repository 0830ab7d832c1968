import { addressBlock } from '#lib/net/cidr.ts'
import { loopback, type Limits } from './limits.ts'
import type { FamilyBy } from './rate-limits.ts'

/**
 * Counts one against the address that the request came from; IPv6 counts by its /64. Loopback is exempt. Throws
 * `too_many`.
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
