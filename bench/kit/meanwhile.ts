// What reads at a steady pace take while something else goes on.
import { pace, quantile, type Sample, type Shot } from './load.ts'

export interface Readers {
  perSecond: number
  shotOf: (index: number) => Shot
}

/** Reads until `work` is done. Returns all reads, and what `work` gave. */
export async function readDuring<T>(
  base: string,
  { perSecond, shotOf }: Readers,
  work: () => Promise<T>,
): Promise<{ samples: Sample[]; result: T }> {
  let isOver = false
  const reading = pace(base, { perSecond, stopped: () => isOver }, shotOf)
  const result = await work().finally(() => (isOver = true))
  return { samples: await reading, result }
}

export interface Waits {
  reads: number
  errors: number
  p50: number
  p99: number
  max: number
}

export function waitsOf(samples: readonly Sample[]): Waits {
  const times = samples.map((sample) => sample.took)
  return {
    reads: samples.length,
    errors: samples.filter((sample) => sample.failed).length,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    max: quantile(times, 1),
  }
}
