import { parseCidr, type Cidr } from './cidr.ts'

/** Finds what is said of addresses by ranges. One look-up for each length of prefix that there is, however many ranges. */
export interface IpMatcher<T> {
  /** What all ranges that hold the address say, the narrowest first. Nothing for what is no address. */
  find(address: string): T[]
}

/** Both families; IPv4-mapped IPv6 is IPv4, as in `parseCidr`. */
export function createIpMatcher<T>(entries: Iterable<readonly [Cidr, T]>): IpMatcher<T> {
  /** Bits of the family → length of the prefix → the leading bits → values. */
  const families = new Map<number, Map<number, Map<bigint, T[]>>>()
  for (const [{ bytes, prefix }, value] of entries) {
    const bits = bytes.length * 8
    const lengths = getOrMake(families, bits, () => new Map<number, Map<bigint, T[]>>())
    const ranges = getOrMake(lengths, prefix, () => new Map<bigint, T[]>())
    getOrMake(ranges, toNumber(bytes) >> BigInt(bits - prefix), () => []).push(value)
  }
  const narrowestFirst = new Map(
    [...families].map(([bits, lengths]) => [bits, [...lengths].toSorted(([a], [b]) => b - a)]),
  )
  return {
    find(address) {
      const parsed = narrowestFirst.size === 0 ? null : parseCidr(address)
      if (!parsed || address.includes('/')) return []
      const bits = parsed.bytes.length * 8
      const number = toNumber(parsed.bytes)
      return (narrowestFirst.get(bits) ?? []).flatMap(
        ([prefix, ranges]) => ranges.get(number >> BigInt(bits - prefix)) ?? [],
      )
    },
  }
}

/** Whether some address is in both ranges: then one of them holds the other. */
export function cidrsOverlap(a: Cidr, b: Cidr): boolean {
  if (a.bytes.length !== b.bytes.length) return false
  const shift = BigInt(a.bytes.length * 8 - Math.min(a.prefix, b.prefix))
  return toNumber(a.bytes) >> shift === toNumber(b.bytes) >> shift
}

function toNumber(bytes: readonly number[]): bigint {
  return bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n)
}

function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = make()))
  return value
}
