import type { MetricValues } from '../http/process-metrics.ts';
import { type AttributeValue, SPAN_KINDS, type Span } from './span.ts';

export type Attributes = Readonly<Record<string, AttributeValue>>;

type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
type JsonObject = { readonly [name: string]: JsonValue };

const SCOPE = { name: 'tidegate' };
const STATUS_ERROR = 2;
/** Cumulative, as Prometheus counts. */
const CUMULATIVE = 2;

/** The body of a request to `/v1/traces`. */
export const tracesJson = (spans: readonly Span[], resource: Attributes): JsonObject => ({
  resourceSpans: [
    {
      resource: { attributes: attributesJson(resource) },
      scopeSpans: [{ scope: SCOPE, spans: spans.map(spanJson) }],
    },
  ],
});

const spanJson = (span: Span): JsonObject => ({
  traceId: span.context.traceId,
  spanId: span.context.spanId,
  ...(span.parentSpanId !== undefined && { parentSpanId: span.parentSpanId }),
  name: span.name,
  kind: SPAN_KINDS[span.kind],
  startTimeUnixNano: nanoseconds(span.startMs),
  endTimeUnixNano: nanoseconds(span.endMs),
  attributes: attributesJson(span.attributes),
  ...(span.error !== undefined && { status: { code: STATUS_ERROR, message: span.error } }),
});

type MetricTimes = { readonly startMs: number; readonly nowMs: number };

/** The body of a request to `/v1/metrics`. */
export const metricsJson = (
  metrics: readonly MetricValues[],
  resource: Attributes,
  times: MetricTimes,
): JsonObject => ({
  resourceMetrics: [
    {
      resource: { attributes: attributesJson(resource) },
      scopeMetrics: [{ scope: SCOPE, metrics: metrics.map((metric) => metricJson(metric, times)) }],
    },
  ],
});

function metricJson(metric: MetricValues, times: MetricTimes): JsonObject {
  const { name, help: description } = metric;
  const time = {
    startTimeUnixNano: nanoseconds(times.startMs),
    timeUnixNano: nanoseconds(times.nowMs),
  };
  if (metric.type === 'histogram') {
    const dataPoints = metric.samples.map(({ labels, bounds, counts, sum }) => ({
      ...time,
      attributes: attributesJson(labels),
      explicitBounds: [...bounds],
      bucketCounts: counts.map(String),
      count: String(counts.reduce((total, count) => total + count, 0)),
      sum,
    }));
    return { name, description, histogram: { aggregationTemporality: CUMULATIVE, dataPoints } };
  }
  // JSON has no other numbers
  const finite = metric.samples.filter(({ value }) => Number.isFinite(value));
  const dataPoints = finite.map(({ labels = {}, value }) => ({
    ...time,
    attributes: attributesJson(labels),
    asDouble: value,
  }));
  return metric.type === 'counter'
    ? {
        name,
        description,
        sum: { aggregationTemporality: CUMULATIVE, isMonotonic: true, dataPoints },
      }
    : { name, description, gauge: { dataPoints } };
}

const attributesJson = (attributes: Attributes): readonly JsonObject[] =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: valueJson(value) }));

function valueJson(value: AttributeValue): JsonObject {
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'string') return { stringValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** 64-bit integers are strings in OTLP/JSON. */
const nanoseconds = (ms: number): string => BigInt(Math.round(ms * 1e6)).toString();
