import { expect, onTestFinished, test } from 'vitest';
import { FakeNode } from '../../../../test/support/fakes/fake-node.ts';
import { silentLog } from '../../../../test/support/fakes/silent-log.ts';
import { onPglite } from '../../../../test/support/history/history-engines.ts';
import { attributesOf, startOtlpCollector } from '../../../../test/support/http/otlp-collector.ts';
import { startApi } from '../../../../test/support/http/test-api.ts';
import { parseEndpointUrl } from '../chain/endpoints/endpoint-url.ts';
import { openMeteredRpc } from '../chain/rpc/metered-rpc.ts';
import { openHistory } from '../history/open-history.ts';
import { readCheckpoint } from '../history/queries/checkpoints.ts';
import { openTelemetry, type TelemetrySettings } from './open-telemetry.ts';
import { createSampler } from './sampler.ts';
import { parseTraceParent } from './span.ts';

async function startTelemetry(change: Partial<TelemetrySettings> = {}) {
  const collector = await startOtlpCollector();
  onTestFinished(() => collector.stop());
  const telemetry = openTelemetry({
    endpoint: new URL(collector.url),
    headers: { 'x-token': 'secret' },
    serviceName: 'my-api',
    version: '1.2.3',
    resource: { 'deployment.environment.name': 'test' },
    sampler: 'parentbased_always_on',
    samplerRatio: 1,
    hasTraces: true,
    hasMetrics: true,
    metricsIntervalMs: 3_600_000,
    log: silentLog,
    ...change,
  });
  return { collector, telemetry };
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

test('a request is a span with route, status, weight and cache hit', async () => {
  const { collector, telemetry } = await startTelemetry();
  const { url } = await startApi({ tracer: telemetry.tracer, onMetrics: telemetry.exportMetrics });
  const headers = { traceparent: `00-${TRACE}-${PARENT}-01` };
  const path = '/tokens-api/tokens';
  await (await fetch(`${url}${path}`, { headers })).text();
  await (await fetch(`${url}${path}?secret=value`)).text();
  await (await fetch(`${url}${path}`)).text();
  // a response is complete before its span ends
  await expect
    .poll(async () => (await fetch(`${url}/metrics`)).text())
    .toMatch(/tokens",status="200",le="\+Inf"} 3/);
  await telemetry.close();
  const spans = collector.spans().filter(({ name }) => name === `GET ${path}`);
  const [first, other, cached] = spans;
  expect(first).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, kind: 2 });
  expect(attributesOf(first ?? { attributes: [] })).toMatchObject({
    'http.request.method': 'GET',
    'http.route': path,
    'http.response.status_code': '200',
    'tidegate.cache_hit': false,
    'tidegate.weight': expect.stringMatching(/^\d+$/),
  });
  expect(other?.parentSpanId).toBeUndefined();
  expect(other?.traceId).not.toBe(TRACE);
  expect(attributesOf(cached ?? { attributes: [] })['tidegate.cache_hit']).toBe(true);
  for (const { startTimeUnixNano, endTimeUnixNano } of spans) {
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
  }
  expect(JSON.stringify(collector.requests.map(({ body }) => body))).not.toContain('secret');
});

test('requests to the collector have its path, headers and the resource', async () => {
  const { collector, telemetry } = await startTelemetry();
  telemetry.onRpcCall?.({ method: 'getSlot', endpoint: 'a', ms: 1, error: undefined });
  telemetry.exportMetrics(() => [
    { name: 'some_total', help: 'Text.', type: 'counter', samples: [{ value: 3 }] },
  ]);
  await telemetry.close();
  expect(collector.requests.map(({ path }) => path).toSorted()).toEqual([
    '/v1/metrics',
    '/v1/traces',
  ]);
  expect(collector.metrics().map(({ name }) => name)).toEqual(['some_total']);
  const traces = collector.requests.find(({ path }) => path === '/v1/traces');
  expect(traces?.headers).toMatchObject({
    'x-token': 'secret',
    'content-type': 'application/json',
  });
  const [resource] = traces?.body.resourceSpans ?? [];
  expect(attributesOf(resource?.resource ?? { attributes: [] })).toMatchObject({
    'service.name': 'my-api',
    'service.version': '1.2.3',
    'deployment.environment.name': 'test',
  });
});

onPglite('telemetry', (engine) => {
  test('queries and calls of a request are its children', async () => {
    const { collector, telemetry } = await startTelemetry();
    const { folder } = await engine.separate();
    const { onQuery, onRpcCall, tracer } = telemetry;
    const history = await openHistory({ url: undefined, folder, log: silentLog, onQuery });
    const node = await FakeNode.start();
    onTestFinished(async () => {
      await node.stop();
      await history.close();
    });
    const endpoint = parseEndpointUrl(new URL(`${node.url}secret-key`));
    const { rpc } = openMeteredRpc(endpoint, 'node', { clock: Date.now, onCall: onRpcCall });
    const { url } = await startApi({
      tracer,
      routes: (app) =>
        app.get('/traced', async () => {
          await readCheckpoint(history.db, 'secret-name');
          await rpc({ method: 'getSlot', params: [], timeoutMs: 30_000 });
          await rpc({ method: 'getNothing', params: [], timeoutMs: 30_000 }).catch(() => undefined);
          return {};
        }),
    });
    await (await fetch(`${url}/traced`)).text();
    await expect
      .poll(async () => (await fetch(`${url}/metrics`)).text())
      .toContain('route="/traced"');
    await telemetry.close();
    const request = collector.spans().find(({ name }) => name === 'GET /traced');
    const children = collector
      .spans()
      .filter(({ parentSpanId }) => parentSpanId === request?.spanId);
    expect(children.map(({ name }) => name)).toEqual(['SELECT', 'getSlot', 'getNothing']);
    expect(children.every(({ traceId }) => traceId === request?.traceId)).toBe(true);
    const [query, call, failed] = children;
    expect(attributesOf(query ?? { attributes: [] })).toMatchObject({
      'db.system.name': 'postgresql',
      'db.query.text': expect.stringContaining('where "name" = $1'),
    });
    expect(attributesOf(call ?? { attributes: [] })).toMatchObject({
      'rpc.method': 'getSlot',
      'server.address': node.url.host,
    });
    expect(failed?.status).toEqual({ code: 2, message: 'SOURCE_REFUSES' });
    expect(JSON.stringify(collector.requests.map(({ body }) => body))).not.toContain('secret');
    // the migrations before the request
    expect(collector.spans().some(({ parentSpanId }) => parentSpanId === undefined)).toBe(true);
  });
});

test('the metrics of the server arrive with their values', async () => {
  const { collector, telemetry } = await startTelemetry();
  const { url } = await startApi({ onMetrics: telemetry.exportMetrics });
  await (await fetch(`${url}/health`)).text();
  const text = await (await fetch(`${url}/metrics`)).text();
  const declared = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name);
  await telemetry.close();
  expect(collector.metrics().map(({ name }) => name)).toEqual(declared);
});

test('histograms, counters and gauges have their values, except those that are not numbers', async () => {
  const { collector, telemetry } = await startTelemetry();
  telemetry.exportMetrics(() => [
    {
      name: 'h',
      help: 'Time.',
      type: 'histogram',
      samples: [{ labels: { route: '/a"b' }, bounds: [0.5], counts: [2, 3], sum: 7.5 }],
    },
    {
      name: 'g',
      help: 'Gauge.',
      type: 'gauge',
      samples: [{ value: Number.NaN }, { labels: { x: 'y' }, value: 1000 }],
    },
  ]);
  await telemetry.close();
  const [histogram, gauge] = collector.metrics();
  const stringAttribute = (key: string, stringValue: string) => [{ key, value: { stringValue } }];
  expect(histogram).toMatchObject({
    name: 'h',
    description: 'Time.',
    histogram: {
      aggregationTemporality: 2,
      dataPoints: [
        {
          attributes: stringAttribute('route', '/a"b'),
          explicitBounds: [0.5],
          bucketCounts: ['2', '3'],
          count: '5',
          sum: 7.5,
        },
      ],
    },
  });
  expect(gauge?.gauge?.dataPoints).toMatchObject([
    { attributes: stringAttribute('x', 'y'), asDouble: 1000 },
  ]);
  expect(gauge?.gauge?.dataPoints).toHaveLength(1);
});

test('a collector that fails costs nothing but spans, and is logged once', async () => {
  const lines: string[] = [];
  const note = (_: unknown, message: string) => void lines.push(message);
  const log = { ...silentLog, warn: note, info: note };
  const { collector, telemetry } = await startTelemetry({ log, hasMetrics: false });
  collector.respondWith(503);
  const add = () => telemetry.onRpcCall?.({ method: 'a', endpoint: 'b', ms: 1, error: undefined });
  for (let i = 0; i < 600; i++) add();
  await expect.poll(() => lines).toEqual(['telemetry cannot be exported']);
  collector.respondWith(200);
  add();
  await telemetry.close();
  expect(lines).toEqual(['telemetry cannot be exported', 'telemetry is exported again']);
  expect(collector.requests.some(({ path }) => path === '/v1/metrics')).toBe(false);
});

test('a redirect is a failure, and its target gets neither spans nor credentials', async () => {
  const target = await startOtlpCollector();
  onTestFinished(() => target.stop());
  const reasons: unknown[] = [];
  const warn = ({ reason }: { readonly reason?: unknown }) => void reasons.push(reason);
  const { collector, telemetry } = await startTelemetry({ log: { ...silentLog, warn } });
  collector.redirectTo(`${target.url}/v1/traces`);
  telemetry.onRpcCall?.({ method: 'getSlot', endpoint: 'a', ms: 1, error: undefined });
  await telemetry.close();
  expect(collector.requests).toHaveLength(1);
  expect(target.requests).toEqual([]);
  expect(reasons).toEqual(['status 307']);
});

test('a collector that never responds does not hold up the end', async () => {
  const { collector, telemetry } = await startTelemetry({ hasMetrics: false });
  collector.respondWith('silence');
  const add = () => telemetry.onRpcCall?.({ method: 'a', endpoint: 'b', ms: 1, error: undefined });
  for (let i = 0; i < 600; i++) add();
  await expect.poll(() => collector.requests.length).toBe(1);
  await telemetry.close();
  expect(collector.requests.length).toBe(2);
});

test('samplers follow the parent or decide by the trace', () => {
  const parent = (isSampled: boolean) => ({ traceId: TRACE, spanId: PARENT, isSampled });
  expect(createSampler('parentbased_always_on', 1)(TRACE, parent(false))).toBe(false);
  expect(createSampler('parentbased_always_off', 1)(TRACE, parent(true))).toBe(true);
  expect(createSampler('parentbased_always_off', 1)(TRACE, undefined)).toBe(false);
  expect(createSampler('always_on', 1)(TRACE, parent(false))).toBe(true);
  const tenth = createSampler('traceidratio', 0.1);
  expect(tenth(`${'0'.repeat(19)}1${'0'.repeat(12)}`, undefined)).toBe(true);
  expect(tenth(`${'0'.repeat(19)}2${'0'.repeat(12)}`, undefined)).toBe(false);
  expect(createSampler('traceidratio', 1)('f'.repeat(32), undefined)).toBe(true);
});

test('a malformed traceparent is ignored', () => {
  expect(parseTraceParent(`00-${TRACE}-${PARENT}-01`)).toEqual({
    traceId: TRACE,
    spanId: PARENT,
    isSampled: true,
  });
  expect(parseTraceParent(`00-${TRACE}-${PARENT}-00`)?.isSampled).toBe(false);
  for (const header of [
    undefined,
    '',
    'x',
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-01`,
  ]) {
    expect(parseTraceParent(header)).toBeUndefined();
  }
});
