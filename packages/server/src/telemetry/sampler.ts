import type { SpanContext } from './span.ts';

/** The samplers of the OpenTelemetry specification that need no further settings. */
export const SAMPLERS = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const;

export type SamplerName = (typeof SAMPLERS)[number];

/** Whether to record a span. */
export type Sampler = (traceId: string, parent: SpanContext | undefined) => boolean;

const RATIO_DIGITS = 13;
const RATIO_RANGE = 16 ** RATIO_DIGITS;

/** `ratio`: the part of all traces, from 0 to 1. */
export function createSampler(name: SamplerName, ratio: number): Sampler {
  const root = rootSampler(name.replace('parentbased_', ''), ratio);
  return name.startsWith('parentbased_')
    ? (traceId, parent) => parent?.isSampled ?? root(traceId)
    : (traceId) => root(traceId);
}

/** By the end of the trace ID, so that all processes decide the same. */
function rootSampler(name: string, ratio: number): (traceId: string) => boolean {
  if (name === 'always_on') return () => true;
  if (name === 'always_off') return () => false;
  return (traceId) => Number.parseInt(traceId.slice(-RATIO_DIGITS), 16) < ratio * RATIO_RANGE;
}
