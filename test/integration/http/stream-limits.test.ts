import { expect, onTestFinished, test } from 'vitest';
import { MemoryRateLimitStore } from '#server/http/limits/memory-limit-store.ts';
import { parseRateLimitPolicy } from '#server/http/limits/rate-limit.ts';
import { StreamClient, sendStreamRequest } from '../../support/http/stream-client.ts';
import { startStreamedValue } from '../../support/http/streamed-value.ts';
import { trustProxies } from '../../support/http/test-api.ts';

const PATIENTLY = { interval: 5 };

async function start(...options: Parameters<typeof startStreamedValue>) {
  const api = await startStreamedValue(...options);
  onTestFinished(() => api.app.close());
  const open = (headers: Record<string, string> = {}) => StreamClient.open(api.streamUrl, headers);
  const metric = async (name: string) => {
    const text = await (await fetch(`${api.url}/metrics`)).text();
    const line = text.split('\n').find((each) => each.startsWith(`${name} `));
    return line === undefined ? undefined : Number(line.split(' ')[1]);
  };
  return { ...api, open, metric };
}

async function rejectionOf(url: string, headers: Record<string, string> = {}) {
  const { response } = await sendStreamRequest(url, headers);
  let text = '';
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode, headers: response.headers, body: JSON.parse(text) };
}

const limitsOf = (quota: number) => {
  const policy = parseRateLimitPolicy('anonymous', `${quota}/1h`);
  if (policy === undefined) throw new Error('invalid limit');
  const store = new MemoryRateLimitStore(() => 0);
  return { store, anonymous: policy, loopback: policy, key: policy };
};

test('a client has a limited number of streams, and others have theirs', async () => {
  const { open, streamUrl } = await start({
    streamSettings: { maxPerClient: 1 },
    trustedProxies: trustProxies('127.0.0.1'),
  });
  const first = await open({ 'x-forwarded-for': '192.0.2.1' });
  const second = await rejectionOf(streamUrl, { 'x-forwarded-for': '192.0.2.1' });
  expect(second.status).toBe(429);
  expect(second.headers['retry-after']).toBe('10');
  expect(second.body.error).toContain('"streams";q=1');
  const other = await open({ 'x-forwarded-for': '192.0.2.2' });
  first.close();
  const again = async () =>
    (await sendStreamRequest(streamUrl, { 'x-forwarded-for': '192.0.2.1' })).response;
  await expect
    .poll(async () => {
      const response = await again();
      response.destroy();
      return response.statusCode;
    }, PATIENTLY)
    .toBe(200);
  other.close();
});

test('a process has a limited number of streams', async () => {
  const { open, streamUrl, metric } = await start({ streamSettings: { maxStreams: 2 } });
  const clients = [await open(), await open()];
  expect(await metric('tidegate_open_streams{kind="state"}')).toBe(2);
  const { status, headers } = await rejectionOf(streamUrl);
  expect([status, headers['retry-after']]).toEqual([503, '10']);
  for (const client of clients) client.close();
  await expect.poll(() => metric('tidegate_open_streams{kind="state"}'), PATIENTLY).toBe(0);
});

test('a failed request takes no place', async () => {
  const { url, open } = await start({ streamSettings: { maxPerClient: 1 } });
  for (let count = 0; count < 3; count += 1) {
    const { response } = await sendStreamRequest(`${url}/v2/svc-market/${'1'.repeat(32)}`);
    expect(response.statusCode).toBe(404);
    response.destroy();
  }
  (await open()).close();
});

test('a stream costs its weight at opening and each minute, and ends when no units are left', async () => {
  // 2 at opening, 2 after four heartbeats; then 1 is left
  const { open } = await start({ limits: limitsOf(5), streamSettings: { heartbeatMs: 5 } });
  const client = await open();
  expect(client.headers['ratelimit']).toContain('r=3');
  await expect.poll(() => client.hasEnded, PATIENTLY).toBe(true);
  expect(client.events.at(-1)).toMatchObject({
    event: 'closed',
    data: { code: 'RATE_LIMITED', message: expect.stringContaining('Retry in') },
  });
  expect(client.comments.length).toBeGreaterThanOrEqual(8);
});

test('a revoked key ends its streams', async () => {
  let isValid = true;
  const known = { id: 'k1', policy: undefined };
  const { open, metric } = await start({
    keys: { find: () => (isValid ? known : undefined), count: () => 1 },
    limits: limitsOf(1_000_000),
    streamSettings: { heartbeatMs: 5 },
  });
  const client = await open({ 'x-api-key': 'any' });
  await expect.poll(() => client.comments.length, PATIENTLY).toBeGreaterThan(0);
  isValid = false;
  await expect
    .poll(() => client.data('closed'), PATIENTLY)
    .toMatchObject([{ code: 'UNKNOWN_API_KEY' }]);
  expect(await metric('tidegate_dropped_streams_total{reason="UNKNOWN_API_KEY"}')).toBe(1);
});

test('a client that does not read is dropped with a reason, and others go on', async () => {
  const { open, control, metric } = await start({ streamSettings: { maxBufferedBytes: 100_000 } });
  const [slow, quick] = [await open(), await open()];
  await expect.poll(() => slow.ids('update'), PATIENTLY).toEqual(['100']);
  slow.pause();
  const dropped = () => metric('tidegate_dropped_streams_total{reason="SLOW_READER"}');
  let slot = 100n;
  while ((await dropped()) !== 1) {
    slot += 1n;
    control.value = `${slot} ${'x'.repeat(1_000_000)}`;
    control.moveTo(slot);
    await expect.poll(() => quick.lastEventId, PATIENTLY).toBe(String(slot));
  }
  slow.resume();
  await expect.poll(() => slow.hasEnded, PATIENTLY).toBe(true);
  expect(slow.events.at(-1)).toMatchObject({ event: 'closed', data: { code: 'SLOW_READER' } });
  control.value = 'last';
  control.moveTo(slot + 1n);
  await expect.poll(() => quick.data('update').at(-1), PATIENTLY).toEqual({ value: 'last' });
  expect(quick.hasEnded).toBe(false);
  quick.close();
});

test('a shutdown ends streams with a reason and does not wait for them', async () => {
  const { open, app } = await start();
  const clients = await Promise.all(Array.from({ length: 3 }, () => open()));
  await app.close();
  for (const client of clients) {
    await expect.poll(() => client.hasEnded, PATIENTLY).toBe(true);
    expect(client.data('closed')).toMatchObject([{ code: 'SHUTTING_DOWN' }]);
  }
});

test('events are counted', async () => {
  const { open, metric, control } = await start();
  const client = await open();
  control.value = 'second';
  control.moveTo(101n);
  await expect.poll(() => client.ids('update'), PATIENTLY).toEqual(['100', '101']);
  expect(await metric('tidegate_stream_events_total')).toBe(2);
  client.close();
});
