import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connectRedis } from '#server/redis/connect-redis.ts';
import { FaultProxy } from '../../support/chaos/fault-proxy.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { hasRedis, startRedis } from '../../support/processes/redis-process.ts';

const SILENT_MS = 400;

/** Through a proxy, with a command every few milliseconds, whether or not earlier ones were answered. */
async function startBusyConnection() {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const port = Number(new URL(redis.url).port);
  const proxy = await FaultProxy.start(() => connect(port, '127.0.0.1'));
  onTestFinished(() => proxy.close());
  const messages: string[] = [];
  const add = (_: object, message: string) => messages.push(message);
  const log = { ...silentLog, warn: add, info: add };
  const url = `redis://127.0.0.1:${proxy.port}`;
  const connection = await connectRedis(url, { log, silentMs: SILENT_MS });
  onTestFinished(() => connection.close());
  const counts = { answered: 0, connected: 0 };
  connection.onConnect(() => {
    counts.connected += 1;
  });
  const send = () =>
    void connection.send(['PING']).then(
      () => {
        counts.answered += 1;
      },
      () => undefined,
    );
  const timer = setInterval(send, 20);
  onTestFinished(() => clearInterval(timer));
  await expect.poll(() => counts.answered).toBeGreaterThan(0);
  return { proxy, counts, messages };
}

describe.skipIf(!hasRedis())('a connection to Redis', () => {
  test('that became silent is replaced, although commands are still sent', async () => {
    const { proxy, counts, messages } = await startBusyConnection();
    proxy.halfOpen();
    await expect.poll(() => counts.connected).toBe(2);
    const before = counts.answered;
    await expect.poll(() => counts.answered).toBeGreaterThan(before);
    expect(messages).toEqual(['Redis is not available', 'Redis is available again']);
  });

  test('is established as soon as packets arrive again', async () => {
    const { proxy, counts } = await startBusyConnection();
    proxy.blackHole();
    // answers that were on their way have arrived when the connection is replaced
    await expect.poll(() => proxy.accepted).toBeGreaterThan(1);
    const before = counts.answered;
    // it tries again and again, without an answer
    await expect.poll(() => proxy.accepted).toBeGreaterThan(4);
    expect(counts.answered).toBe(before);
    proxy.heal();
    await expect.poll(() => counts.answered).toBeGreaterThan(before);
  });
});
