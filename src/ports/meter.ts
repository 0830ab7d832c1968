import type { FamilyType, Sample } from '#lib/prometheus.ts'

/** What is counted where it happens, in this process. docs/operators/metrics.md describes each (a test compares). */
export const meteredFamilies = {
  stonechat_effect_duration_seconds: ['histogram', 'Time that an effect of an event took.'],
  stonechat_job_duration_seconds: ['histogram', 'Time that a job took.'],
  stonechat_inbox_activities_total: ['counter', 'What other servers sent, and what came of it.'],
  stonechat_cache_lookups_total: ['counter', 'Whether something was found in a cache.'],
  stonechat_streaming_connections: ['gauge', 'Open streams.'],
} as const satisfies Record<string, readonly [FamilyType, string]>

type Name = keyof typeof meteredFamilies
export type NameOf<Type extends FamilyType> = {
  [N in Name]: (typeof meteredFamilies)[N][0] extends Type ? N : never
}[Name]

/** Labels have few values each: types and outcomes, never names or ids. */
export type Labels = Readonly<Record<string, string>>

export interface Counter {
  value: number
}

export interface Meter {
  /** Returns what counts one series: it is asked for once, and raised often. */
  counter(name: NameOf<'counter'>, labels: Labels): Counter
  observe(name: NameOf<'histogram'>, labels: Labels, seconds: number): void
  /** Has a number be read whenever somebody asks. A later one takes the place of an earlier one. */
  gauge(name: NameOf<'gauge'>, read: () => number): void
  families(): { name: string; type: FamilyType; help: string; samples: Sample[] }[]
}

/** Times work, and whether it failed. */
export async function timed<T>(
  meter: Meter,
  name: NameOf<'histogram'>,
  labels: Labels,
  work: () => Promise<T>,
): Promise<T> {
  const started = performance.now()
  let outcome = 'failed'
  try {
    const result = await work()
    outcome = 'done'
    return result
  } finally {
    meter.observe(name, { ...labels, outcome }, (performance.now() - started) / 1000)
  }
}
