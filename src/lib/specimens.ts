// Optimized code holds the shapes of objects weakly. A collection that finds no object of a shape alive, as in a quiet
// moment after many requests, throws away all code that works on it, and those who come next pay for making it again.
// So one of each kind that comes and goes with every request is kept (docs/adr/0004).

/** What a request, and a statement of it, makes and drops. */
type Kind = 'exchange' | 'statement' | 'row' | 'completion' | 'standard'

const kept: Partial<Record<Kind, unknown>> = {}

/** Keeps this one of its kind alive until the next one. It should be small: on a quiet server it may stay for hours. */
export function keepSpecimen(kind: Kind, specimen: unknown): void {
  kept[kind] = specimen
}

/** The same for what the platform makes for each request: an address and what walks over it, timers. */
export function keepStandardSpecimens(): void {
  const { searchParams } = new URL('http://localhost/?a=1')
  const entries = searchParams.entries()
  const timer = setTimeout(() => {}, 0)
  clearTimeout(timer)
  const immediate = setImmediate(() => {})
  keepSpecimen('standard', [searchParams, searchParams.keys(), entries, entries.next(), timer, immediate])
}
