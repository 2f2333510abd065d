import { performance } from 'node:perf_hooks';
import type { Logger } from '@tidegate/core/base';
import type { MetricValues } from '../http/process-metrics.ts';
import type { RequestTracer } from '../http/request-tracer.ts';
import { OtlpExporter } from './otlp-exporter.ts';
import type { Attributes } from './otlp-json.ts';
import { createSampler, type SamplerName } from './sampler.ts';
import { Tracer } from './tracer.ts';

export type TelemetrySettings = {
  readonly endpoint: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly version: string;
  readonly resource: Attributes;
  readonly sampler: SamplerName;
  /** From 0 to 1. */
  readonly samplerRatio: number;
  readonly hasTraces: boolean;
  readonly hasMetrics: boolean;
  readonly metricsIntervalMs: number;
  readonly log: Logger;
};

/** Exports spans and metrics until it is closed. */
export type Telemetry = {
  readonly tracer: RequestTracer | undefined;
  readonly onQuery: Tracer['onQuery'] | undefined;
  readonly onRpcCall: Tracer['onRpcCall'] | undefined;
  exportMetrics(read: () => readonly MetricValues[]): void;
  close(): Promise<void>;
};

export function openTelemetry(settings: TelemetrySettings): Telemetry {
  const now = () => performance.timeOrigin + performance.now();
  const resource = {
    'service.name': settings.serviceName,
    'service.version': settings.version,
    'process.pid': process.pid,
    ...settings.resource,
  };
  const exporter = new OtlpExporter({ ...settings, resource, now });
  const sampler = createSampler(settings.sampler, settings.samplerRatio);
  const onSpan = exporter.add.bind(exporter);
  const tracer = settings.hasTraces ? new Tracer({ sampler, onSpan, now }) : undefined;
  return {
    tracer,
    onQuery: tracer?.onQuery.bind(tracer),
    onRpcCall: tracer?.onRpcCall.bind(tracer),
    exportMetrics: (read) => exporter.exportMetrics(read),
    close: () => exporter.close(),
  };
}
