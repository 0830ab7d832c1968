import { createDurations, type Durations, type Sample } from '#lib/prometheus.ts'
import { meteredFamilies, type Counter, type Labels, type Meter } from '#ports/meter.ts'

/** Upper bounds in seconds: effects are quick, and some jobs take minutes. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

interface Series extends Counter {
  labels: Labels
}

/** The numbers of one context, since it was made. */
export function createMeter(): Meter {
  const counters = new Map<string, Map<string, Series>>()
  const durations = new Map<string, Durations>()
  const gauges = new Map<string, () => number>()
  const samplesOf = (name: string): Sample[] => {
    const read = gauges.get(name)
    if (read) return [{ value: read() }]
    return durations.get(name)?.samples() ?? [...(counters.get(name)?.values() ?? [])]
  }
  return {
    counter(name, labels) {
      const known = counters.get(name) ?? new Map<string, Series>()
      counters.set(name, known)
      const key = Object.values(labels).join('\0')
      const series = known.get(key) ?? { labels, value: 0 }
      known.set(key, series)
      return series
    },
    observe(name, labels, seconds) {
      const known = durations.get(name) ?? createDurations(buckets)
      durations.set(name, known)
      known.observe(labels, seconds)
    },
    gauge(name, read) {
      gauges.set(name, read)
    },
    families: () =>
      Object.entries(meteredFamilies).map(([name, [type, help]]) => ({
        name,
        type,
        help,
        samples: samplesOf(name),
      })),
  }
}
