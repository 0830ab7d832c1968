// Counts requests by what is bounded: method, pattern of the route, status. Never by path.

import { createDurations, family } from '#lib/prometheus.ts'

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

/** Counts since the start of this process. */
export function createRequestMetrics(): RequestMetrics {
  const totals = new Map<string, { labels: Record<string, string>; value: number }>()
  const durations = createDurations(buckets)
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
      durations.observe(labels, request.seconds)
    },
    text() {
      return (
        family('http_requests_total', 'counter', 'Requests answered.', [...totals.values()]) +
        family(
          'http_request_duration_seconds',
          'histogram',
          'Time to the head of the answer.',
          durations.samples(),
        )
      )
    },
  }
}
