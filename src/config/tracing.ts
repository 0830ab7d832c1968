// Where traces go: OpenTelemetry's own variables, with their usual meaning
// (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/).

import type { EnvReader, VariableName } from '#config/env.ts'

export interface SamplerConfig {
  name: (typeof samplers)[number]
  /** Of those with `traceidratio`: how much of all, from 0 to 1. */
  ratio: number
}

export interface TracingConfig {
  /** To which spans are posted. */
  url: string
  protocol: (typeof protocols)[number]
  /** Sent with each request: they may hold a secret. */
  headers: Record<string, string>
  gzip: boolean
  /** Milliseconds that the collector has for an answer. */
  timeout: number
  serviceName: string
  /** What else the operator wants to be said of this process. */
  resource: Record<string, string>
  sampler: SamplerConfig
  /** Spans that wait at most; further ones are dropped. */
  queue: number
  /** Spans of one request to the collector at most. */
  batch: number
  /** Milliseconds for which spans are gathered. */
  delay: number
}

const protocols = ['http/json', 'http/protobuf'] as const
const samplers = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const

/** Reads the group; null: nothing is recorded. */
export function readTracing(reader: EnvReader): TracingConfig | null {
  const url = readUrl(reader)
  const exporter = reader.choice('OTEL_TRACES_EXPORTER', ['otlp', 'none'], 'otlp')
  const resource = readPairs(reader, 'OTEL_RESOURCE_ATTRIBUTES')
  const queue = reader.integer('OTEL_BSP_MAX_QUEUE_SIZE', { min: 1, max: 1_000_000, fallback: 2048 })
  const config = {
    protocol: readProtocol(reader),
    headers: {
      ...readPairs(reader, 'OTEL_EXPORTER_OTLP_HEADERS'),
      ...readPairs(reader, 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'),
    },
    gzip: reader.choice('OTEL_EXPORTER_OTLP_COMPRESSION', ['none', 'gzip'], 'none') === 'gzip',
    timeout: reader.integer('OTEL_EXPORTER_OTLP_TIMEOUT', { min: 1, max: 600_000, fallback: 10_000 }),
    serviceName: reader.text('OTEL_SERVICE_NAME') ?? resource['service.name'] ?? 'stonechat',
    resource,
    sampler: readSampler(reader),
    queue,
    batch: reader.integer('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', {
      min: 1,
      max: queue,
      fallback: Math.min(512, queue),
    }),
    delay: reader.integer('OTEL_BSP_SCHEDULE_DELAY', { min: 0, max: 600_000, fallback: 5_000 }),
  }
  const disabled = reader.boolean('OTEL_SDK_DISABLED', false)
  return url === null || disabled || exporter === 'none' ? null : { url, ...config }
}

/** That of traces is used as it is, the general one gets the usual path. */
function readUrl(reader: EnvReader): string | null {
  const own = readEndpoint(reader, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')
  const general = readEndpoint(reader, 'OTEL_EXPORTER_OTLP_ENDPOINT')
  if (own) return own.href
  if (!general) return null
  general.pathname = `${general.pathname.replace(/\/+$/, '')}/v1/traces`
  return general.href
}

function readEndpoint(reader: EnvReader, name: VariableName): URL | null {
  const url = reader.url(name, ['http', 'https'])
  if (url === null || (url.username === '' && url.password === '')) return url
  reader.refuse(name, 'a URL without a password: put that into OTEL_EXPORTER_OTLP_HEADERS')
  return null
}

function readProtocol(reader: EnvReader): TracingConfig['protocol'] {
  const general = reader.choice('OTEL_EXPORTER_OTLP_PROTOCOL', protocols, 'http/json')
  return reader.choice('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', protocols, general)
}

function readSampler(reader: EnvReader): SamplerConfig {
  const name = reader.choice('OTEL_TRACES_SAMPLER', samplers, 'parentbased_always_on')
  const text = reader.text('OTEL_TRACES_SAMPLER_ARG')
  if (text === null || !name.endsWith('ratio')) return { name, ratio: 1 }
  const ratio = Number(text)
  if (/^[\d.]+$/.test(text) && ratio <= 1) return { name, ratio }
  reader.refuse('OTEL_TRACES_SAMPLER_ARG', 'a number from 0 to 1')
  return { name, ratio: 1 }
}

/** `name=value` separated by commas, each percent-encoded where it has to be (as W3C Baggage). */
function readPairs(reader: EnvReader, name: VariableName): Record<string, string> {
  const text = reader.text(name)
  if (text === null) return {}
  const pairs = text
    .split(',')
    .filter((pair) => pair.trim() !== '')
    .map(readPair)
  const good = pairs.filter((pair) => pair !== null)
  if (good.length === pairs.length) return Object.fromEntries(good)
  reader.refuse(name, 'name=value, several separated by commas, with % before what has a meaning of its own')
  return {}
}

function readPair(text: string): [string, string] | null {
  const at = text.indexOf('=')
  if (at < 1) return null
  try {
    return [decodeURIComponent(text.slice(0, at).trim()), decodeURIComponent(text.slice(at + 1).trim())]
  } catch {
    return null
  }
}
