// Sends spans by OTLP over HTTP (https://opentelemetry.io/docs/specs/otlp/#otlphttp), through our own client.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { ExportResultCode } from '@opentelemetry/core'
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import type { TracingConfig } from '#config/tracing.ts'
import type { HttpClient } from '#ports/http-client.ts'
import type { Log } from '#ports/log.ts'

const compress = promisify(gzip)
/** Nobody reads what a collector says beyond its status. */
const maxBytes = 65_536
/** Milliseconds for which a collector that did not take what it was sent is left alone. */
const minPause = 1_000
const maxPause = 60_000
/** A collector that is away is told of this often, in milliseconds. */
const complainEvery = 300_000

const forms = {
  'http/json': { type: 'application/json', serializer: JsonTraceSerializer },
  'http/protobuf': { type: 'application/x-protobuf', serializer: ProtobufTraceSerializer },
}

/** What cannot be sent is dropped, and the log says so now and then; for a while then nothing is tried. */
export function createExporter(config: TracingConfig, parts: { http: HttpClient; log: Log }): SpanExporter {
  const complain = createComplaints(parts.log, config)
  let pause = minPause
  let restUntil = 0
  async function send(spans: ReadableSpan[]): Promise<void> {
    if (performance.now() < restUntil) return complain(spans.length, null)
    try {
      await postSpans(config, parts.http, spans)
      pause = minPause
    } catch (error) {
      complain(spans.length, (error as Error).message)
      restUntil = performance.now() + pause
      pause = Math.min(2 * pause, maxPause)
    }
  }
  return {
    async export(spans, done) {
      await send(spans)
      // Of what failed everything is said and done.
      done({ code: ExportResultCode.SUCCESS })
    },
    async shutdown() {},
  }
}

/** Throws when the collector did not take them. None at all shows whether it is there. */
export async function postSpans(
  config: TracingConfig,
  http: HttpClient,
  spans: ReadableSpan[],
): Promise<void> {
  const { type, serializer } = forms[config.protocol]
  const bytes = serializer.serializeRequest(spans) ?? new Uint8Array()
  const body = config.gzip ? await compress(bytes) : Buffer.from(bytes)
  const { status } = await http.send({
    url: config.url,
    method: 'POST',
    headers: {
      ...config.headers,
      'content-type': type,
      ...(config.gzip && { 'content-encoding': 'gzip' }),
    },
    body,
    maxBytes,
    longer: 'cut',
    timeout: config.timeout,
    redirects: 0,
    repeatable: true,
  })
  if (status < 200 || status >= 300) throw new Error(`it answers ${status}`)
}

function createComplaints(log: Log, { url }: TracingConfig): (lost: number, reason: string | null) => void {
  let last = Number.NEGATIVE_INFINITY
  let lost = 0
  return (count, reason) => {
    lost += count
    if (reason === null) return
    const now = performance.now()
    if (now - last < complainEvery) return
    log.warn({ collector: new URL(url).host, lost, error: reason }, 'spans could not be sent and are lost')
    last = now
    lost = 0
  }
}
