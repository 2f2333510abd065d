import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { apiKeyFilePath } from '#server/cli/files/api-key-file.ts';
import { watchSharedApiKeys } from '#server/cli/files/watch-api-keys.ts';
import { type Config, readConfig } from '#server/cli/settings/settings.ts';
import { createApiKey, listApiKeys, revokeApiKey } from '#server/composition/tasks/api-keys.ts';
import { openAccessControl } from '#server/composition/tasks/open-access-control.ts';
import { REDIS_PREFIX } from '#server/composition/tasks/redis-prefix.ts';
import { generateApiKey } from '#server/http/auth/api-keys.ts';
import { connectRedis } from '#server/redis/connect-redis.ts';
import type { RedisConnection } from '#server/redis/redis-connection.ts';
import { RedisApiKeys } from '#server/sharing/redis-api-keys.ts';
import { RedisLimitCounters } from '#server/sharing/redis-limit-counters.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { type RunningApi, startApi } from '../../support/http/test-api.ts';
import { ModelCounters } from '../../support/limits/model-counters.ts';
import { hasRedis, type RedisProcess, startRedis } from '../../support/processes/redis-process.ts';
import { temporaryFolder } from '../../support/processes/run-tidegate.ts';
import { assertAsyncProperty } from '../../support/properties/assert-property.ts';

const PATH = '/tokens-api/tokens?limit=1';

describe.skipIf(!hasRedis())('processes that share limits and keys over Redis', () => {
  let redis: RedisProcess;
  let connection: RedisConnection;

  beforeAll(async () => {
    redis = await startRedis();
    connection = await connectRedis(redis.url, { log: silentLog });
    await new Promise<void>((resolve) => connection.onConnect(resolve));
  });

  afterAll(async () => {
    connection.close();
    await redis.stop();
  });

  beforeEach(async () => {
    await connection.send(['FLUSHALL']);
  });

  const waitForConnection = () =>
    expect.poll(() => connection.send(['PING']).catch(() => undefined)).toBe('PONG');

  const configOf = (folder: string, limit = '10/1h'): Config =>
    readConfig({ 'data-dir': folder, 'redis-url': redis.url, 'rate-limit': limit }, {});

  /** Keys, limits and an API as a process of its own has them. */
  async function startProcess(limit?: string): Promise<RunningApi & { readonly config: Config }> {
    const config = configOf(temporaryFolder(), limit);
    const { keys, limits, stop } = await openAccessControl(config, { log: silentLog });
    onTestFinished(stop);
    return { ...(await startApi({ keys, limits })), config };
  }

  async function statusWith({ get }: RunningApi, key: string): Promise<number> {
    return (await get(PATH, { 'x-api-key': key })).status;
  }

  /** Calls the processes in turn until none of them admits a call, and counts the admitted ones. */
  async function spendAll(apis: readonly RunningApi[], calls: number): Promise<number> {
    let admitted = 0;
    const client = async (index: number) => {
      for (let i = 0; i < calls; i++) {
        const api = apis[(index + i) % apis.length] as RunningApi;
        if ((await api.get(PATH)).status === 200) admitted += 1;
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, index) => client(index)));
    return admitted;
  }

  const isSharing = async ({ url }: RunningApi): Promise<boolean> =>
    (await (await fetch(`${url}/metrics`)).text()).includes('\ntidegate_rate_limits_shared 1\n');

  test('property: Redis counts as the model does, at the time of Redis', async () => {
    const charge = fc.record({
      caller: fc.constantFrom('a', 'b'),
      quota: fc.integer({ min: 1, max: 50 }),
      // so short that slices expire during the test
      windowSeconds: fc.constantFrom(0.003, 0.03),
      spent: fc.nat(3),
      cost: fc.nat(9),
    });
    let run = 0;
    const property = fc.asyncProperty(
      fc.array(charge, { minLength: 100, maxLength: 300 }),
      async (charges) => {
        const counters = new RedisLimitCounters(connection, `test-${run++}`);
        const model = new ModelCounters();
        for (const { caller, ...rest } of charges) {
          const reply = await counters.charge({ caller, ...rest });
          const slices = [...reply.slices].sort(([a], [b]) => a - b);
          const expected = { ...rest, caller: `${caller} ${rest.windowSeconds}` };
          expect({ ...reply, slices }).toEqual(model.charge(expected, reply.now));
        }
      },
    );
    await assertAsyncProperty(property, 20);
  });

  test('what Redis stores of a caller expires', async () => {
    const counters = new RedisLimitCounters(connection, 'test');
    await counters.charge({ caller: 'a', quota: 5, windowSeconds: 60, spent: 0, cost: 1 });
    await counters.charge({ caller: 'b', quota: 5, windowSeconds: 60, spent: 0, cost: 0 });
    expect(String(await connection.send(['KEYS', '*']))).toBe('test:units:60:a');
    expect(await connection.send(['TTL', 'test:units:60:a'])).toBe(64);
  });

  test('two processes have one budget', async () => {
    const apis = [await startProcess(), await startProcess()];
    expect(await spendAll(apis, 3)).toBe(10);
    const { headers } = await (apis[1] as RunningApi).get(PATH);
    expect(headers.get('ratelimit-policy')).toBe('"anonymous";q=10;w=3600');
    expect(headers.get('ratelimit')).toMatch(/^"anonymous";r=0;t=\d+$/);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3_500);
  });

  test('two processes exceed a larger budget by an eighth at most', async () => {
    const apis = [await startProcess('160/1h'), await startProcess('160/1h')];
    const admitted = await spendAll(apis, 40);
    expect(admitted).toBeGreaterThanOrEqual(160);
    expect(admitted).toBeLessThanOrEqual(180);
  });

  test('without Redis each process has its own limit, and afterwards they share one', async () => {
    const apis = [await startProcess(), await startProcess()];
    expect(await spendAll(apis, 1)).toBe(8);
    await redis.stop();
    for (const api of apis) {
      // 8 calls are known to both; each of them has admitted 4
      expect(await spendAll([api], 3)).toBeGreaterThanOrEqual(2);
      expect(await spendAll([api], 1)).toBe(0);
      await expect.poll(() => isSharing(api)).toBe(false);
    }
    await redis.restart();
    await waitForConnection();
    for (const api of apis) await expect.poll(() => isSharing(api)).toBe(true);
    const fresh = await startProcess();
    // Redis has lost everything, but both processes have admitted 10 calls or know of them
    expect(await spendAll(apis, 1)).toBe(0);
    expect(await spendAll([fresh, ...apis], 6)).toBe(10);
  });

  test('a key that one command creates works in all processes, until it is revoked', async () => {
    const apis = [await startProcess('1000/1h'), await startProcess('1000/1h')];
    const config = configOf(temporaryFolder());
    const created = await createApiKey(config, { name: 'app', limit: undefined, now: Date.now() });
    expect(created).toMatchObject({
      location: `Redis at ${new URL(redis.url).host}`,
      isShared: true,
    });
    const { key } = created;
    for (const api of apis) {
      await expect.poll(() => statusWith(api, key)).toBe(200);
      // only the hash is stored
      const stored = join(api.config.dataDir, 'keys.json');
      await expect.poll(() => readFileSync(stored, 'utf8')).toContain(key.slice(3, 15));
      expect(readFileSync(stored, 'utf8')).not.toContain(key.slice(16));
    }
    expect(await listApiKeys(config)).toMatch(/app .* valid/);

    await redis.stop();
    for (const api of apis) expect(await statusWith(api, key)).toBe(200);
    await redis.restart();
    await waitForConnection();
    // a process that has no file gets the key from one that has
    const late = await startProcess('1000/1h');
    await expect.poll(() => statusWith(late, key)).toBe(200);

    await revokeApiKey(config, key.slice(3, 15), Date.now());
    for (const api of [...apis, late]) await expect.poll(() => statusWith(api, key)).toBe(401);
    expect(await listApiKeys(config)).toMatch(/app .* revoked 20/);
    await expect(revokeApiKey(config, 'none', Date.now())).rejects.toThrow('none does not exist');
  });

  test('keys of a file are shared, and a revoked one does not come back from another file', async () => {
    const folder = temporaryFolder();
    const own = readConfig({ 'data-dir': folder }, {});
    const { key } = await createApiKey(own, { name: 'old', limit: '50/1m', now: Date.now() });
    const path = apiKeyFilePath(own);
    const copy = readFileSync(path, 'utf8');
    const remote = new RedisApiKeys(connection, REDIS_PREFIX, silentLog);
    const open = async () => {
      const keys = await watchSharedApiKeys(path, remote, silentLog);
      onTestFinished(keys.stop);
      return keys;
    };
    const first = await open();
    const api = await startProcess();
    expect((await api.get(PATH, { 'x-api-key': key })).headers.get('ratelimit-policy')).toBe(
      '"key";q=50;w=60',
    );

    await revokeApiKey(configOf(folder), key.slice(3, 15), Date.now());
    await expect.poll(() => first.find(key)).toBeUndefined();
    await expect.poll(() => readFileSync(path, 'utf8')).toContain('"revokedAt": "20');
    rmSync(path);
    writeFileSync(path, copy);
    expect((await open()).find(key)).toBeUndefined();
    await expect.poll(() => statusWith(api, key)).toBe(401);
  });

  test('a late copy of a key does not undo that it was revoked', async () => {
    const remote = new RedisApiKeys(connection, 'test', silentLog);
    const { record } = generateApiKey('late', null, Date.now());
    const revoked = { ...record, revokedAt: new Date().toISOString() };
    await remote.merge([record]);
    const created = await remote.version();
    await remote.merge([revoked]);
    const version = await remote.version();
    expect(version).not.toBe(created);
    await remote.merge([record]);
    expect(await remote.read()).toEqual([revoked]);
    expect(await remote.version()).toBe(version);
  });

  test('a command says that Redis does not respond, without credentials', async () => {
    const flags = { 'data-dir': temporaryFolder(), 'redis-url': 'redis://user:secret@127.0.0.1:1' };
    const failure = await listApiKeys(readConfig(flags, {})).catch(String);
    expect(failure).toContain('REDIS_URL is "127.0.0.1:1". It accepts the address of a Redis');
    expect(failure).not.toContain('secret');
  });
});
