import { expect, onTestFinished, test } from 'vitest';
import { CodedError } from '#server/errors.ts';
import { goldenMarket } from '../../support/golden/golden-addresses.ts';
import { StreamClient, sendStreamRequest } from '../../support/http/stream-client.ts';
import { startStreamedValue } from '../../support/http/streamed-value.ts';
import { startApi } from '../../support/http/test-api.ts';

const PATIENTLY = { interval: 5 };

async function start(...options: Parameters<typeof startStreamedValue>) {
  const api = await startStreamedValue(...options);
  onTestFinished(() => api.app.close());
  const open = async (headers: Record<string, string> = {}) => {
    const client = await StreamClient.open(api.streamUrl, headers);
    onTestFinished(() => client.close());
    return client;
  };
  return { ...api, open };
}

test('the body is sent at once, and again only when it has changed', async () => {
  const { control, open } = await start();
  const client = await open();
  await expect.poll(() => client.data('update'), PATIENTLY).toEqual([{ value: 'first' }]);
  control.moveTo(101n);
  await expect.poll(() => control.calls, PATIENTLY).toBe(2);
  control.value = 'second';
  control.moveTo(102n);
  await expect
    .poll(() => client.data('update'), PATIENTLY)
    .toEqual([{ value: 'first' }, { value: 'second' }]);
  expect(client.ids('update')).toEqual(['100', '102']);
  expect(client.data('headers')).toMatchObject([
    { 'x-env': 'localnet', 'x-slot': '100', 'x-commitment': 'confirmed' },
    { 'x-slot': '102', 'x-block-time': '2025-06-15T15:08:22.000Z' },
  ]);
});

test('clients of a URL share each computation', async () => {
  const { control, open } = await start();
  const clients = await Promise.all(Array.from({ length: 5 }, () => open()));
  const { calls } = control;
  expect(calls).toBeLessThanOrEqual(2);
  control.value = 'second';
  control.moveTo(101n);
  for (const client of clients) {
    await expect.poll(() => client.data('update').at(-1), PATIENTLY).toEqual({ value: 'second' });
  }
  expect(control.calls).toBe(calls + 1);
});

test('slots that pass together are one event', async () => {
  const { control, open } = await start();
  const client = await open();
  await expect.poll(() => client.ids('update'), PATIENTLY).toEqual(['100']);
  for (const slot of [101n, 102n, 103n]) {
    control.value = `of ${slot}`;
    control.moveTo(slot);
  }
  await expect.poll(() => client.ids('update'), PATIENTLY).toEqual(['100', '103']);
  expect(client.data('update').at(-1)).toEqual({ value: 'of 103' });
});

test('a client that has the body gets it when it changes', async () => {
  const { control, open } = await start();
  const first = await open();
  await expect.poll(() => first.lastEventId, PATIENTLY).toBe('100');
  const resumed = await open({ 'last-event-id': first.lastEventId });
  const other = await open({ 'last-event-id': '99' });
  await expect.poll(() => other.ids('update'), PATIENTLY).toEqual(['100']);
  control.value = 'second';
  control.moveTo(101n);
  await expect.poll(() => other.ids('update'), PATIENTLY).toEqual(['100', '101']);
  await expect.poll(() => resumed.ids('update'), PATIENTLY).toEqual(['101']);
});

test('a client that knows a later slot gets nothing of an earlier one', async () => {
  const { control, open } = await start();
  const client = await open({ 'last-event-id': '102' });
  await expect
    .poll(() => client.data('error'), PATIENTLY)
    .toMatchObject([{ code: 'STALE_READ', statusCode: 503 }]);
  control.value = 'second';
  control.moveTo(101n);
  await expect.poll(() => control.calls, PATIENTLY).toBe(2);
  expect(client.data('update')).toEqual([]);
  control.moveTo(103n);
  await expect.poll(() => client.ids('update'), PATIENTLY).toHaveLength(1);
});

test('minContextSlot concerns the first body', async () => {
  const { url } = await start();
  const { response } = await sendStreamRequest(`${url}/value?minContextSlot=101`);
  expect(response.statusCode).toBe(503);
  response.destroy();
  const client = await StreamClient.open(`${url}/value?minContextSlot=100`);
  await expect.poll(() => client.ids('update'), PATIENTLY).toEqual(['100']);
  client.close();
});

test('an error is an event, and the body follows when it can be given again', async () => {
  const { control, open } = await start();
  const client = await open();
  control.failure = new CodedError('PRICE_UNAVAILABLE', { mint: 'So1', reason: 'too old' });
  for (const slot of [101n, 102n]) {
    const { calls } = control;
    control.moveTo(slot);
    await expect.poll(() => control.calls, PATIENTLY).toBeGreaterThan(calls);
  }
  await expect
    .poll(() => client.data('error'), PATIENTLY)
    .toEqual([
      {
        code: 'PRICE_UNAVAILABLE',
        message: 'The token So1 has no price: too old.',
        statusCode: 503,
      },
    ]);
  control.failure = undefined;
  control.moveTo(103n);
  await expect.poll(() => client.ids('update'), PATIENTLY).toEqual(['100', '103']);
  expect(client.data('error')).toHaveLength(1);
});

test('a request that is wrong gets an ordinary error, one that must wait gets a stream', async () => {
  const { control, open, streamUrl } = await start();
  control.failure = new CodedError('NOT_FOUND', { what: 'value', address: 'x' });
  const { response } = await sendStreamRequest(streamUrl);
  expect([response.statusCode, response.headers['content-type']]).toEqual([
    404,
    'application/json; charset=utf-8',
  ]);
  response.destroy();
  control.failure = new CodedError('CLUSTER_NOT_LOADED', { env: 'x', retryAfterSeconds: 1 });
  control.moveTo(101n);
  const client = await open();
  await expect
    .poll(() => client.data('error'), PATIENTLY)
    .toMatchObject([{ code: 'CLUSTER_NOT_LOADED' }]);
});

test('an internal error shows nothing of its cause', async () => {
  const { control, open, logLines } = await start();
  control.failure = new CodedError('MALFORMED_DATA', { what: 'secret', reason: 'x' });
  const client = await open();
  await expect
    .poll(() => client.data('error'), PATIENTLY)
    .toEqual([{ code: 'INTERNAL', message: 'Internal error', statusCode: 500 }]);
  expect(logLines.filter(({ level }) => level === 'error')).not.toEqual([]);
});

test('heartbeats say up to which slot the body has not changed', async () => {
  const { control, open } = await start({ streamSettings: { heartbeatMs: 5 } });
  const client = await open();
  await expect.poll(() => client.comments.length, PATIENTLY).toBeGreaterThan(1);
  control.moveTo(105n);
  await expect
    .poll(() => client.data('unchanged').at(-1), PATIENTLY)
    .toMatchObject({ 'x-slot': '105' });
  expect(client.comments.every((comment) => comment === 'heartbeat')).toBe(true);
  expect(client.ids('update')).toEqual(['100']);
  expect(client.ids('unchanged').every((id) => id === undefined)).toBe(true);
});

test('the response is not cached, not compressed, and logged when it begins', async () => {
  const { open, logLines } = await start();
  const client = await open({ 'accept-encoding': 'gzip', 'x-request-id': 'my-stream' });
  expect(client.headers).toMatchObject({
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-slot': '100',
    'x-request-id': 'my-stream',
    connection: 'close',
  });
  expect(client.headers).not.toHaveProperty('content-encoding');
  const lines = () => logLines.filter(({ fields }) => fields['id'] === 'my-stream');
  expect(lines()).toMatchObject([{ fields: { route: '/value', status: 200 } }]);
  client.close();
  await expect.poll(() => client.hasEnded, PATIENTLY).toBe(true);
  expect(lines()).toHaveLength(1);
});

test('only current state is streamed, and only to clients that prefer it', async () => {
  const { url } = await startApi();
  const { address } = goldenMarket('Main Market');
  const typeOf = async (path: string, accept: string, method = 'GET') => {
    const headers = { accept, 'content-type': 'application/json' };
    const body = method === 'POST' ? '{"instruction":"deposit"}' : undefined;
    const response = await fetch(`${url}${path}`, { method, headers, ...(body && { body }) });
    await response.body?.cancel();
    return String(response.headers.get('content-type')).split(';')[0];
  };
  const [json, stream] = ['application/json', 'text/event-stream'];
  const market = `/v2/svc-market/${address}`;
  // once more when the response is cached
  for (const _ of ['first', 'cached']) {
    expect(await typeOf(market, '*/*')).toBe(json);
    expect(await typeOf(market, `${json}, ${stream}`)).toBe(json);
    expect(await typeOf(market, `${stream};q=0, */*`)).toBe(json);
    expect(await typeOf(market, stream)).toBe(stream);
    expect(await typeOf(market, `${json};q=0.5, ${stream}`)).toBe(stream);
    expect(await typeOf(market, stream, 'HEAD')).toBe(json);
  }
  expect(await typeOf(`${market}/metrics/history`, stream)).toBe(json);
  expect(await typeOf(`${market}/transactions`, stream, 'POST')).toBe(json);
  expect(await typeOf('/status', stream)).toBe(json);
});

test('a stream and an ordinary request have the same body', async () => {
  const api = await startApi();
  const { address } = goldenMarket('Main Market');
  for (const path of [`/v2/svc-market/${address}`, `/svc-market/${address}/reserves/metrics`]) {
    const client = await StreamClient.open(`${api.url}${path}`);
    await expect.poll(() => client.data('update'), PATIENTLY).toHaveLength(1);
    const { body, headers } = await api.get(path);
    expect(client.data('update')).toEqual([body]);
    const [sent] = client.data('headers') as Record<string, string>[];
    for (const name of ['x-slot', 'x-block-time', 'x-omitted', 'x-stale-prices']) {
      expect(sent?.[name], name).toBe(headers.get(name) ?? undefined);
    }
    client.close();
  }
});
