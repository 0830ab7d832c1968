// Counts requests by what is bounded: method, pattern of the route, status. Never by path.

export interface Sample {
  labels?: Record<string, string>
  /** Goes behind the name of the family, as `_bucket`. */
  suffix?: string
  value: number
}

export interface ObservedRequest {
  method: string
  /** The pattern of the route, `/*` when none matched. */
  route: string
  status: number
  seconds: number
}

export interface RequestMetrics {
  observe(request: ObservedRequest): void
  /** All of it in the text format. */
  text(): string
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/** Upper bounds in seconds. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

interface Durations {
  labels: Record<string, string>
  /** By bucket, the last one for what is slower than all bounds. */
  counts: number[]
  sum: number
}

/** Counts since the start of this process. */
export function createRequestMetrics(): RequestMetrics {
  const totals = new Map<string, { labels: Record<string, string>; value: number }>()
  const durations = new Map<string, Durations>()
  return {
    observe(request) {
      const labels = {
        method: methods.has(request.method) ? request.method : 'OTHER',
        route: request.route === '/*' ? 'none' : request.route,
      }
      const key = `${labels.method} ${labels.route}`
      const status = String(request.status)
      const total = totals.get(`${key} ${status}`) ?? { labels: { ...labels, status }, value: 0 }
      total.value++
      totals.set(`${key} ${status}`, total)
      const known = durations.get(key) ?? { labels, counts: Array(buckets.length + 1).fill(0), sum: 0 }
      const bucket = buckets.findIndex((bound) => request.seconds <= bound)
      const index = bucket < 0 ? buckets.length : bucket
      known.counts[index] = (known.counts[index] ?? 0) + 1
      known.sum += request.seconds
      durations.set(key, known)
    },
    text() {
      return (
        family('http_requests_total', 'counter', 'Requests answered.', [...totals.values()]) +
        family(
          'http_request_duration_seconds',
          'histogram',
          'Time to the head of the answer.',
          durations.values().flatMap(histogramSamples).toArray(),
        )
      )
    },
  }
}

function histogramSamples({ labels, counts, sum }: Durations): Sample[] {
  let running = 0
  const cumulative = counts.map((count, index): Sample => {
    running += count
    const le = index < buckets.length ? String(buckets[index]) : '+Inf'
    return { suffix: '_bucket', labels: { ...labels, le }, value: running }
  })
  return [...cumulative, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: running }]
}

/** One metric with its samples in the text format; nothing when it has none. */
export function family(
  name: string,
  type: 'counter' | 'gauge' | 'histogram',
  help: string,
  samples: readonly Sample[],
): string {
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
