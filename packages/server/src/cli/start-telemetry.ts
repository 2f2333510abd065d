import type { Logger } from '@tidegate/core/base';
import type { Telemetry } from '../telemetry/open-telemetry.ts';
import { readPackageVersion } from './settings/package-version.ts';
import type { Config } from './settings/settings.ts';

/** Undefined without a collector; nothing of the telemetry is loaded then. */
export async function startTelemetry(config: Config, log: Logger): Promise<Telemetry | undefined> {
  const { otlpEndpoint } = config;
  if (otlpEndpoint.value === undefined) return undefined;
  const { openTelemetry } = await import('../telemetry/open-telemetry.ts');
  return openTelemetry({
    endpoint: otlpEndpoint.value,
    headers: config.otlpHeaders,
    serviceName: config.otelServiceName,
    version: readPackageVersion(),
    resource: config.otelResourceAttributes,
    sampler: config.otelTracesSampler,
    samplerRatio: config.otelTracesSamplerArg,
    hasTraces: config.otelTracesExporter === 'otlp',
    hasMetrics: config.otelMetricsExporter === 'otlp',
    metricsIntervalMs: config.otelMetricExportInterval,
    log,
  });
}
