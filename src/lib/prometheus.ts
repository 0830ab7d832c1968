// What Prometheus reads: families of samples in its text format (0.0.4), and durations in buckets.

export interface Sample {
  labels?: Record<string, string>
  /** Goes behind the name of the family, as `_bucket`. */
  suffix?: string
  value: number
}

export type FamilyType = 'counter' | 'gauge' | 'histogram'

/** Durations by labels, in buckets. */
export interface Durations {
  observe(labels: Readonly<Record<string, string>>, seconds: number): void
  samples(): Sample[]
}

interface Series {
  labels: Readonly<Record<string, string>>
  /** By bucket, the last one for what is slower than all bounds. */
  counts: number[]
  sum: number
}

/** Counts durations. `bounds`: upper ones in seconds, rising. */
export function createDurations(bounds: readonly number[]): Durations {
  const all = new Map<string, Series>()
  return {
    observe(labels, seconds) {
      const key = Object.values(labels).join('\0')
      const known = all.get(key) ?? { labels, counts: Array(bounds.length + 1).fill(0), sum: 0 }
      const bucket = bounds.findIndex((bound) => seconds <= bound)
      const index = bucket < 0 ? bounds.length : bucket
      known.counts[index] = (known.counts[index] ?? 0) + 1
      known.sum += seconds
      all.set(key, known)
    },
    samples: () => [...all.values()].flatMap((series) => toSamples(series, bounds)),
  }
}

function toSamples({ labels, counts, sum }: Series, bounds: readonly number[]): Sample[] {
  let running = 0
  const cumulative = counts.map((count, index): Sample => {
    running += count
    const le = index < bounds.length ? String(bounds[index]) : '+Inf'
    return { suffix: '_bucket', labels: { ...labels, le }, value: running }
  })
  return [...cumulative, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: running }]
}

/** One metric with its samples in the text format; nothing when it has none. */
export function family(name: string, type: FamilyType, help: string, samples: readonly Sample[]): string {
  if (samples.length === 0) return ''
  const lines = samples.map((sample) => `${name}${sample.suffix ?? ''}${labelText(sample)} ${sample.value}`)
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('\n')}\n`
}

function labelText({ labels }: Sample): string {
  if (!labels) return ''
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`)
  return `{${pairs.join(',')}}`
}

function escapeLabel(value: string): string {
  return value
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`)
}
