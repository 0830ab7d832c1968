// Through which proxy which hosts are reached.

export interface OutgoingProxy {
  /** `''`: all hosts; `.onion`: all below that name; `example.org`: that name and all below it. */
  suffix: string
  /** `http://`, `https://` or `socks5://`, with a user and password where it wants them; null: no proxy. */
  url: string | null
}

/** Names of networks that the domain name system knows nothing of (RFC 7686): they are never looked up. */
export const isOverlayName = (hostname: string): boolean => /(?:^|\.)(?:onion|i2p)$/.test(hostname)

/** Returns the proxy for a host, by the longest suffix that fits; null where it is reached without one. */
export function findProxy(proxies: readonly OutgoingProxy[], hostname: string): string | null {
  const fitting = proxies.filter(({ suffix }) => fits(suffix, hostname))
  return fitting.toSorted((a, b) => b.suffix.length - a.suffix.length)[0]?.url ?? null
}

function fits(suffix: string, hostname: string): boolean {
  if (suffix === '') return true
  if (suffix.startsWith('.')) return hostname.endsWith(suffix)
  return hostname === suffix || hostname.endsWith(`.${suffix}`)
}
