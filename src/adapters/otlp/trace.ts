// Spans by OpenTelemetry's SDK. Loaded only where traces are sent somewhere: see `openTrace` in app/trace.ts.
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace as api,
  TraceFlags,
  type Context,
  type Span as SdkSpan,
  type Tracer,
} from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace'
import packageDescription from '../../../package.json' with { type: 'json' }
import type { TracingConfig } from '#config/tracing.ts'
import { withTimeout } from '#lib/concurrency/with-timeout.ts'
import { noSpan, type Attributes, type Span, type SpanStart, type Trace } from '#ports/trace.ts'
import { createSampler } from './sampler.ts'

/** How long a stop waits for the last spans to be taken, in milliseconds. */
const closeTime = 2_000

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
}

export interface TraceOptions {
  config: TracingConfig
  exporter: SpanExporter
  /** Of this process, besides those that the operator gave. */
  resource: Attributes
}

/**
 * Records spans, keeps at most `config.queue` of them, and hands them on in batches. `close` hands on what is left,
 * and waits two seconds for it at most.
 */
export function createTrace(options: TraceOptions): Trace & { close(): Promise<void> } {
  const provider = createProvider(options)
  const tracer = provider.getTracer('stonechat', packageDescription.version)
  const current = new AsyncLocalStorage<Context>()

  async function run<T>(what: SpanStart, fn: (span: Span) => Promise<T>): Promise<T> {
    const parent = what.parent === undefined ? (current.getStore() ?? ROOT_CONTEXT) : readParent(what.parent)
    const span = start(tracer, what, parent)
    try {
      return await current.run(api.setSpan(parent, span), () => fn(toSpan(span)))
    } catch (error) {
      fail(span, nameOf(error))
      throw error
    } finally {
      span.end()
    }
  }

  const context = () => api.getSpanContext(current.getStore() ?? ROOT_CONTEXT)
  return {
    on: true,
    span: run,
    // What was not sampled has nothing within it either.
    child: (what, fn) => (isSampled(current.getStore()) ? run(what, fn) : fn(noSpan)),
    carry() {
      const found = context()
      if (!found) return null
      return `00-${found.traceId}-${found.spanId}-${(found.traceFlags & 1).toString(16).padStart(2, '0')}`
    },
    id: () => context()?.traceId ?? null,
    async close() {
      await withTimeout(
        closeTime,
        provider.shutdown().catch(() => {}),
      )
    },
  }
}

function createProvider({ config, exporter, resource }: TraceOptions): TracerProvider {
  return new TracerProvider({
    resource: resourceFromAttributes({
      'service.version': packageDescription.version,
      ...resource,
      ...config.resource,
      'service.name': config.serviceName,
    }),
    sampler: createSampler(config.sampler),
    // A statement of ours is some thousand characters at most.
    spanLimits: { attributeValueLengthLimit: 8_192 },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: config.queue,
        maxExportBatchSize: config.batch,
        scheduledDelayMillis: config.delay,
        exportTimeoutMillis: config.timeout,
      }),
    ],
  })
}

function start(tracer: Tracer, { name, kind = 'internal', attributes = {} }: SpanStart, parent: Context) {
  return tracer.startSpan(name, { kind: kinds[kind], attributes: { ...attributes } }, parent)
}

const isSampled = (context: Context | undefined) =>
  context !== undefined && ((api.getSpanContext(context)?.traceFlags ?? 0) & TraceFlags.SAMPLED) !== 0

function readParent(text: string | null): Context {
  const found = text === null ? null : parseTraceParent(text)
  if (!found || !isSpanContextValid(found)) return ROOT_CONTEXT
  return api.setSpanContext(ROOT_CONTEXT, { ...found, isRemote: true })
}

function toSpan(span: SdkSpan): Span {
  return {
    set: (attributes) => void span.setAttributes({ ...attributes }),
    rename: (name) => void span.updateName(name),
    fail: (reason) => fail(span, reason),
  }
}

function nameOf(error: unknown): string {
  const { code, problem, name } = (error ?? {}) as { code?: unknown; problem?: unknown; name?: unknown }
  return String(code ?? problem ?? name ?? 'error')
}

/** The kind of failure alone: its message may hold what is nobody's business. */
function fail(span: SdkSpan, reason: string): void {
  span.setAttribute('error.type', reason)
  span.setStatus({ code: SpanStatusCode.ERROR })
}
