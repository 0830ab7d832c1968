/** A place in the write-ahead log of a database. */
export interface Position {
  /** Bytes from the beginning of the log. */
  readonly lsn: number
  /** Which history it is of: each promotion of a replica begins a new one. */
  readonly timeline: number
}

/** Bytes of a `pg_lsn` as PostgreSQL writes it, such as `16/B374D848`. Exact up to 9 petabytes of log. */
export function parseLsn(text: string): number {
  const [high = '0', low = '0'] = text.split('/')
  return Number.parseInt(high, 16) * 2 ** 32 + Number.parseInt(low, 16)
}
