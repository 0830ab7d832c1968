/**
 * What is measured of the way that a request takes through this server, as spans of a trace
 * (https://opentelemetry.io/docs/specs/otel/trace/api/). Nothing of it holds what people wrote, who they are, or a
 * path that may be secret.
 */
export interface Trace {
  /** False: nothing is recorded, and whoever would prepare something for it need not. */
  readonly on: boolean
  /**
   * Runs `fn` in a span, which ends with it and tells of its failure. It belongs to the span that is under way, or to
   * that of `parent`; where there is neither, it begins a trace.
   */
  span<T>(what: SpanStart, fn: (span: Span) => Promise<T>): Promise<T>
  /** As `span`, but outside of any other one nothing is recorded: for what would be no news by itself. */
  child<T>(what: SpanStart, fn: (span: Span) => Promise<T>): Promise<T>
  /** What work that is done later has to name as its `parent` (W3C `traceparent`); null outside of spans. */
  carry(): string | null
  /** The id of the trace under way, in hex, for the log; null outside of spans. */
  id(): string | null
}

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

export interface SpanStart {
  /** Of few different ones: no ids in it. */
  name: string
  /** What it is to others: `server` and `client` of a request, `producer` and `consumer` of work that waits. */
  kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer'
  attributes?: Attributes
  /** A W3C `traceparent`. Null, or one that cannot be read: a new trace. Unset: the span under way. */
  parent?: string | null | undefined
}

export interface Span {
  set(attributes: Attributes): void
  /** Once it is known what it is. */
  rename(name: string): void
  /** It went wrong, though nothing is thrown. `reason` is of few different ones. */
  fail(reason: string): void
}

/** Records nothing. */
export const noSpan: Span = { set() {}, rename() {}, fail() {} }

/** Records nothing. */
export const noTrace: Trace = {
  on: false,
  span: (_, fn) => fn(noSpan),
  child: (_, fn) => fn(noSpan),
  carry: () => null,
  id: () => null,
}
