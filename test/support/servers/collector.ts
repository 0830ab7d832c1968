// Stands for an OpenTelemetry collector: takes traces by OTLP over HTTP, as JSON or as bytes.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'

export interface CollectedSpan {
  name: string
  traceId: string
  spanId: string
  /** null: it begins its trace. */
  parentSpanId: string | null
  /** As the protocol numbers it: 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number
  failed: boolean
  attributes: Record<string, unknown>
  /** What is told of the process. */
  resource: Record<string, unknown>
}

export interface Collector {
  /** What an operator sets to send traces here, at once. */
  readonly env: Record<string, string>
  /** Of those sent as JSON. */
  readonly spans: CollectedSpan[]
  readonly requests: { path: string | undefined; headers: IncomingHttpHeaders; body: Buffer }[]
  /** What it answers; `hang`: nothing. */
  status: number | 'hang'
  close(): Promise<void>
}

/** Starts one on a port of its own. */
export async function startCollector(): Promise<Collector> {
  const server = createServer((request, response) => void take(collector, request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const collector: Collector = {
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      OTEL_BSP_SCHEDULE_DELAY: '10',
      // Tests look for each of them.
      OTEL_BSP_MAX_QUEUE_SIZE: '100000',
    },
    spans: [],
    requests: [],
    status: 200,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return collector
}

async function take(collector: Collector, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const sent = await buffer(request)
  const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent
  collector.requests.push({ path: request.url, headers: request.headers, body })
  if (collector.status === 'hang') return
  if (collector.status === 200 && request.headers['content-type'] === 'application/json')
    collector.spans.push(...readSpans(body))
  response.writeHead(collector.status, { 'content-type': 'application/json' }).end('{}')
}

interface Attribute {
  key: string
  value: Record<string, unknown>
}

interface SentSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  kind: number
  status?: { code?: number }
  attributes?: Attribute[]
}

interface Sent {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: SentSpan[] }[] }[]
}

function readSpans(body: Buffer): CollectedSpan[] {
  const sent = JSON.parse(body.toString()) as Sent
  return sent.resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        name: span.name,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId || null,
        kind: span.kind,
        failed: span.status?.code === 2,
        attributes: readAttributes(span.attributes ?? []),
        resource: readAttributes(resource.attributes),
      })),
    ),
  )
}

const readAttributes = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
