import { Temporal as Polyfill } from '@js-temporal/polyfill'

/**
 * A moment, in milliseconds since the epoch, as Fedify takes it. Node 24 has no Temporal of its own; this is the one
 * that Fedify brings along.
 */
export function toInstant(milliseconds: number): Temporal.Instant {
  return Polyfill.Instant.fromEpochMilliseconds(milliseconds) as unknown as Temporal.Instant
}
