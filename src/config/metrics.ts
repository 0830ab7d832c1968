// Where numbers for Prometheus are served.

import { isAddressOrHost } from '#config/addresses.ts'
import type { EnvReader } from '#config/env.ts'

export interface MetricsConfig {
  /** Where they have a port of their own. Several processes on one machine count up from it. */
  bind: string
  port: number
  /** Whoever brings it gets them on the port of everything else too; null: nobody does. */
  token: string | null
}

const minToken = 16

/** Reads the variables of this group; null when numbers are off. */
export function readMetrics(reader: EnvReader): MetricsConfig | null {
  const isOn = reader.boolean('PROMETHEUS_ENABLED', false)
  const bind = reader.text('METRICS_BIND') ?? '127.0.0.1'
  if (!isAddressOrHost(bind)) reader.refuse('METRICS_BIND', 'an IP address or a host name')
  const port = reader.integer('METRICS_PORT', { min: 1, max: 65_535, fallback: 9394 })
  const token = reader.text('METRICS_TOKEN')
  if (token !== null && (token.length < minToken || !/^[!-~]+$/.test(token))) {
    reader.refuse('METRICS_TOKEN', `a random text of ${minToken} or more characters without spaces`)
  }
  return isOn ? { bind, port, token } : null
}
