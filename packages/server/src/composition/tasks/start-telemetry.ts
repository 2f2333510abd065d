import type { Logger } from '@tidegate/core/base';
import { readPackageVersion } from '../../cli/settings/package-version.ts';
import type { Config } from '../../cli/settings/settings.ts';
import type { Telemetry } from '../../telemetry/open-telemetry.ts';

/** Undefined without a collector; nothing of the telemetry is loaded then. */
export async function startTelemetry(config: Config, log: Logger): Promise<Telemetry | undefined> {
  const { otlpEndpoint } = config;
  if (otlpEndpoint.value === undefined) return undefined;
  const { openTelemetry } = await import('../../telemetry/open-telemetry.ts');
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
