import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type Sampler,
} from '@opentelemetry/sdk-trace'
import type { SamplerConfig } from '#config/tracing.ts'

/** The sampler that OTEL_TRACES_SAMPLER names. */
export function createSampler({ name, ratio }: SamplerConfig): Sampler {
  const plain = createPlain(name.replace('parentbased_', ''), ratio)
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root: plain }) : plain
}

function createPlain(name: string, ratio: number): Sampler {
  if (name === 'always_on') return new AlwaysOnSampler()
  if (name === 'always_off') return new AlwaysOffSampler()
  return new TraceIdRatioBasedSampler(ratio)
}
