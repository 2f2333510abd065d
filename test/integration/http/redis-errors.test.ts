import { describe, expect, onTestFinished, test } from 'vitest';
import { connectRedis } from '#server/redis/connect-redis.ts';
import type { RedisConnection } from '#server/redis/redis-connection.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { hasRedis, startRedis } from '../../support/processes/redis-process.ts';

describe.skipIf(!hasRedis())('a Redis that refuses', () => {
  async function connect(url: string) {
    const warnings: string[] = [];
    const warn = (context: object, message: string) => {
      const { reason, action } = context as Record<'reason' | 'action', string>;
      warnings.push(`${message}: ${reason} ${action}`);
    };
    const connection = await connectRedis(url, { log: { ...silentLog, warn } });
    onTestFinished(connection.close);
    return { connection, warnings };
  }

  async function start() {
    const redis = await startRedis();
    onTestFinished(redis.stop);
    const { connection: admin, warnings } = await connect(redis.url);
    await new Promise<void>((resolve) => admin.onConnect(resolve));
    return { url: redis.url, admin, warnings };
  }

  const withPassword = (url: string, password: string) =>
    url.replace('redis://', `redis://:${password}@`);

  const isConnected = (connection: RedisConnection) =>
    expect.poll(() => connection.send(['PING']).catch(() => undefined)).toBe('PONG');

  test('a changed password is named, not the closed connection alone', async () => {
    const { url, admin } = await start();
    await admin.send(['CONFIG', 'SET', 'requirepass', 'first']);
    const { connection, warnings } = await connect(withPassword(url, 'first'));
    await isConnected(connection);
    await admin.send(['CONFIG', 'SET', 'requirepass', 'second']);
    await admin.send(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes']);
    await expect.poll(() => warnings.length).toBe(2);
    expect(warnings[0]).toContain('Socket closed');
    expect(warnings[1]).toMatch(/(WRONGPASS|NOAUTH).*Correct user and password in REDIS_URL/);
  });

  test.each([
    ['full', ['CONFIG', 'SET', 'maxmemory', '1'], /OOM .*Raise maxmemory/],
    ['a replica', ['REPLICAOF', '127.0.0.1', '1'], /READONLY .*primary server/],
  ])('a server that is %s is named once', async (_, command, expected) => {
    const { admin, warnings } = await start();
    await admin.send(command);
    for (let i = 0; i < 3; i++) await expect(admin.send(['SET', 'x', '1'])).rejects.toThrow();
    expect(warnings).toEqual([expect.stringMatching(expected)]);
  });
});
