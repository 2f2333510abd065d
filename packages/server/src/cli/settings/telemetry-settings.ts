import { SAMPLERS } from '../../telemetry/sampler.ts';
import { defineSetting } from './define-setting.ts';
import { parseInteger, parseList, parseOneOf, parseOptional } from './setting-parsers.ts';

/** Export of traces and metrics, by the standard variables of OpenTelemetry. */
export const telemetrySettings = {
  otlpEndpoint: defineSetting({
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    default: '',
    accepts: 'an http(s) URL',
    description:
      'Base URL of an OpenTelemetry collector, such as `http://127.0.0.1:4318`. Traces and metrics are exported only if it is set.',
    parse: (text) => parseOptional(text, parseHttpUrl),
  }),
  otlpHeaders: defineSetting({
    env: 'OTEL_EXPORTER_OTLP_HEADERS',
    default: '',
    accepts: 'pairs such as name=value,name2=value2',
    description: 'Headers of requests to the collector.',
    parse: parsePairs,
  }),
  otlpProtocol: defineSetting({
    env: 'OTEL_EXPORTER_OTLP_PROTOCOL',
    default: 'http/json',
    accepts: 'http/json',
    description: 'Protocol of the export. A collector receives it at the port of `http/protobuf`.',
    parse: (text) => parseOneOf(text, ['http/json'] as const),
  }),
  otelServiceName: defineSetting({
    env: 'OTEL_SERVICE_NAME',
    default: 'tidegate',
    accepts: 'any text',
    description: 'Name of this service in traces and metrics.',
    parse: (text) => text,
  }),
  otelResourceAttributes: defineSetting({
    env: 'OTEL_RESOURCE_ATTRIBUTES',
    default: '',
    accepts: 'pairs such as name=value,name2=value2',
    description:
      'Attributes of every trace and metric, such as `deployment.environment.name=production`.',
    parse: parsePairs,
  }),
  otelTracesExporter: defineSetting({
    env: 'OTEL_TRACES_EXPORTER',
    default: 'otlp',
    accepts: 'otlp or none',
    description: 'Whether traces are exported.',
    parse: (text) => parseOneOf(text, ['otlp', 'none'] as const),
  }),
  otelMetricsExporter: defineSetting({
    env: 'OTEL_METRICS_EXPORTER',
    default: 'otlp',
    accepts: 'otlp or none',
    description: 'Whether the metrics of `/metrics` are exported too.',
    parse: (text) => parseOneOf(text, ['otlp', 'none'] as const),
  }),
  otelTracesSampler: defineSetting({
    env: 'OTEL_TRACES_SAMPLER',
    default: 'parentbased_always_on',
    accepts: SAMPLERS.join(', '),
    description: 'Which traces are recorded.',
    parse: (text) => parseOneOf(text, SAMPLERS),
  }),
  otelTracesSamplerArg: defineSetting({
    env: 'OTEL_TRACES_SAMPLER_ARG',
    default: '1',
    accepts: 'a number from 0 to 1',
    description: 'Part of all traces that the samplers with `traceidratio` record.',
    parse: (text) =>
      /^(0|1)?(\.\d+)?$/.test(text) && Number(text) <= 1 ? Number(text) : undefined,
  }),
  otelMetricExportInterval: defineSetting({
    env: 'OTEL_METRIC_EXPORT_INTERVAL',
    default: '60000',
    accepts: 'a whole number from 1000 to 3600000',
    description: 'Milliseconds between two exports of metrics.',
    parse: (text) => parseInteger(text, 1_000, 3_600_000),
  }),
};

function parseHttpUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

/** Values may be percent-encoded. */
function parsePairs(text: string): Readonly<Record<string, string>> | undefined {
  const pairs = parseList(text).map((pair) => /^([^=\s]+)\s*=\s*(.*)$/.exec(pair));
  if (pairs.some((pair) => pair === null)) return undefined;
  try {
    return Object.fromEntries(
      pairs.map((pair) => [pair?.[1] ?? '', decodeURIComponent(pair?.[2] ?? '')]),
    );
  } catch {
    return undefined;
  }
}
