import { expect, test } from 'vitest';
import { startOtlpCollector } from '../support/http/otlp-collector.ts';
import { startServer, waitUntilReady } from '../support/processes/run-tidegate.ts';

test('a server exports spans of requests, queries and calls, and its metrics', async () => {
  const collector = await startOtlpCollector();
  const {
    url,
    process: child,
    finished,
  } = await startServer({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_SERVICE_NAME: 'system-test',
  });
  await waitUntilReady(url);
  await (await fetch(`${url}/health`)).text();
  child.kill('SIGTERM');
  expect((await finished).code).toBe(0);
  const names = new Set(collector.spans().map(({ name }) => name));
  for (const name of ['GET /health', 'SELECT', 'getMultipleAccounts']) {
    expect([...names]).toContain(name);
  }
  expect(collector.metrics().map(({ name }) => name)).toContain(
    'tidegate_http_request_duration_seconds',
  );
  expect(JSON.stringify(collector.requests[0]?.body)).toContain('system-test');
  await collector.stop();
});
