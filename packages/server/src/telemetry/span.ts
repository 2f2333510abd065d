import { randomBytes } from 'node:crypto';

/** Identifies a span for its children, as in the header `traceparent`. */
export type SpanContext = {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  readonly isSampled: boolean;
};

export type AttributeValue = string | number | boolean;

/** Span kinds of the protocol. */
export const SPAN_KINDS = { server: 2, client: 3 } as const;

export type Span = {
  readonly context: SpanContext;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: keyof typeof SPAN_KINDS;
  /** Milliseconds since 1970, with fractions. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
  /** The error of a span that failed. */
  readonly error: string | undefined;
};

export const createTraceId = (): string => randomBytes(16).toString('hex');
export const createSpanId = (): string => randomBytes(8).toString('hex');

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The caller's span; undefined if the header is missing or malformed. */
export function parseTraceParent(header: string | string[] | undefined): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(String(header ?? '')) ?? [];
  if (traceId === '' || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
