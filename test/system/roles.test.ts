import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPostgresServer, runStatements } from '../support/history/postgres-server.ts';
import { createPostgresDatabase } from '../support/history/test-databases.ts';
import { hasSignatureOf, startHookReceiver } from '../support/hooks/hook-receiver.ts';
import { addDepositWithoutTransaction } from '../support/processes/change-loan.ts';
import { expectSameAnswers, readAnswer as get, isReady } from '../support/processes/read-answer.ts';
import { hasRedis, type RedisProcess, startRedis } from '../support/processes/redis-process.ts';
import {
  type LocalnetAddresses,
  type RunningServer,
  runTidegate,
  startCommand,
  startLocalnetProcess,
  waitUntilReady,
} from '../support/processes/run-tidegate.ts';
import { fileScope } from '../support/processes/test-scope.ts';

const postgres = await findPostgresServer();

describe.skipIf(postgres === undefined || !hasRedis())('index and api processes', () => {
  const onEnd = fileScope();
  let redis: RedisProcess;
  let removeDatabase: () => Promise<void>;
  let localnet: LocalnetAddresses;
  let indexes: RunningServer[];
  let apis: RunningServer[];
  let env: Readonly<Record<string, string>>;

  beforeAll(async () => {
    const database = await createPostgresDatabase(postgres ?? '');
    removeDatabase = database.remove;
    redis = await startRedis();
    localnet = await startLocalnetProcess(onEnd);
    const { rpcUrl, wsUrl } = localnet;
    env = {
      RPC_URL: rpcUrl,
      WS_URL: wsUrl,
      CLUSTER: 'localnet',
      DATABASE_URL: database.location.url ?? '',
      REDIS_URL: redis.url,
      WEBHOOK_PRIVATE_ADDRESSES: 'true',
    };
    const first = await startCommand(['index'], env, onEnd);
    await waitUntilReady(first.url);
    indexes = [first, await startCommand(['index'], env, onEnd)];
    apis = [await startCommand(['api'], env, onEnd), await startCommand(['api'], env, onEnd)];
    for (const { url } of apis) await waitUntilReady(url);
  });

  afterAll(async () => {
    for (const { process: child } of [...indexes, ...apis]) child.kill('SIGKILL');
    await redis.stop();
    await removeDatabase();
  });

  const writer = async (): Promise<RunningServer> => {
    for (const index of indexes) if (await isReady(index)) return index;
    throw new Error('no index process writes');
  };

  test('the second index process is a standby, which says so', async () => {
    const waitingFor = ['localnet: standby, another index process writes'];
    const standby = { status: 503, body: { waitingFor: expect.arrayContaining(waitingFor) } };
    // on a busy machine, the second one may have become the writer
    const ready = async () => {
      const answers = await Promise.all(indexes.map(({ url }) => get(url, '/ready')));
      return answers.toSorted((a, b) => a.status - b.status);
    };
    await expect.poll(ready).toMatchObject([{ status: 200 }, standby]);
    for (const { url } of indexes) expect((await get(url, '/health')).status).toBe(200);
  });

  test('a webhook that an api process creates is delivered by the writer', async () => {
    const { received, url } = await startHookReceiver();
    const key = (await runTidegate(['keys', 'create'], { REDIS_URL: redis.url })).out.trim();
    const [first, second] = apis;
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const call = async (server: RunningServer | undefined, path: string, init: RequestInit = {}) =>
      await fetch(`${server?.url}${path}`, { headers, ...init });
    await expect.poll(async () => (await call(first, '/hooks')).status).toBe(200);
    await expect.poll(async () => (await call(second, '/hooks')).status).toBe(200);
    const trigger = { type: 'walletTransactions', wallet: localnet.wallet };
    const body = JSON.stringify({ url, trigger });
    const created = await call(first, '/hooks', { method: 'POST', body });
    const { id, secret } = (await created.json()) as Record<'id' | 'secret', string>;
    expect(created.status).toBe(200);
    const tested = await call(second, `/hooks/${id}/test`, { method: 'POST', body: '{}' });
    expect(tested.status).toBe(200);
    await expect.poll(() => received.length).toBe(1);
    expect(received.every((each) => hasSignatureOf(each, secret))).toBe(true);
    const { url: writing } = await writer();
    expect(await (await fetch(`${writing}/metrics`)).text()).toContain(
      'tidegate_webhooks{cluster="localnet",state="active"} 1\n',
    );
    const wrong = JSON.stringify({ url, trigger: { ...trigger, threshold: '1' } });
    expect((await call(first, '/hooks', { method: 'POST', body: wrong })).status).toBe(400);
    const removal = { method: 'DELETE', headers: { 'x-api-key': key } };
    expect((await call(first, `/hooks/${id}`, removal)).status).toBe(200);
  });

  test('all processes give the same answers at the same slot', async () => {
    const servers = [await writer(), ...apis];
    const { market, vault, wallet, obligation } = localnet;
    const { url } = await writer();
    const reserves = await get(url, `/svc-market/${market}/reserves/metrics`);
    const [{ reserve }] = reserves.body as [{ reserve: string }];
    // the first samples, which were recorded before the api processes started
    const instant = (msAgo: number) => new Date(Date.now() - msAgo).toISOString();
    const range = `&start=${instant(86_400_000)}&end=${instant(1_000)}`;
    for (const path of [
      '/v2/svc-market',
      `/svc-market/${market}/reserves/metrics`,
      `/svc-market/${market}/users/${wallet}/obligations`,
      `/klend/loans/${obligation}`,
      '/kvaults/vaults',
      `/kvaults/vaults/${vault}`,
      '/events/recent',
      `/svc-market/${market}/reserves/${reserve}/metrics/history?frequency=minute${range}`,
      `/svc-market/${market}/metrics/history?frequency=minute${range}`,
    ]) {
      await expectSameAnswers(servers, path);
    }
  });

  test('a key and its limit are those of all processes', async () => {
    const created = await runTidegate(['keys', 'create', '--limit', '15/1h'], env);
    const key = created.out.trim();
    const headers = { 'x-api-key': key };
    const servers = [await writer(), ...apis];
    const statuses = (path: string) =>
      Promise.all(
        servers.map(async ({ url }) => (await fetch(`${url}${path}`, { headers })).status),
      );
    // costs nothing
    await expect.poll(() => statuses('/health')).toEqual([200, 200, 200]);
    const counts = { 200: 0, 429: 0 };
    for (let i = 0; i < 8; i++) {
      for (const status of await statuses('/slots/duration')) counts[status as 200 | 429] += 1;
    }
    expect(counts).toEqual({ 200: 15, 429: 9 });
    await runTidegate(['keys', 'revoke', key.slice(3, 15)], env);
    await expect.poll(() => statuses('/health')).toEqual([401, 401, 401]);
  });

  test('a read of the past waits for the events of a slot', async () => {
    const [api] = apis;
    const { slot } = await get(api?.url ?? '', '/kvaults/vaults');
    const { market, obligation } = localnet;
    const loan = `/v2/svc-market/${market}/obligations/${obligation}`;
    const path = `${loan}/transactions?minContextSlot=`;
    // the writer has loaded the transactions of the loan; some are older than the recorded prices
    await expect
      .poll(async () => (await get(api?.url ?? '', `${path}${slot}`)).body)
      .toMatchObject({ error: expect.stringMatching(/the price of .* is not recorded/) });
    expect(await get(api?.url ?? '', `${path}${slot + 100_000}`)).toMatchObject({
      status: 503,
      body: { code: 'STALE_READ' },
    });
  });

  test('what is missing from the history is marked by the writer, api processes and one with a replica', async () => {
    const replica = { ...env, READ_DATABASE_URL: env['DATABASE_URL'] ?? '' };
    const reading = await startCommand(['api'], replica, onEnd);
    await waitUntilReady(reading.url);
    const { market, obligation: loan, rpcUrl } = localnet;
    // a change without a transaction, which no list of transactions can explain
    const changed = await addDepositWithoutTransaction(rpcUrl, loan);
    const openGaps = async (at: string) => {
      const { clusters } = (await get(at, '/status')).body as {
        clusters: { positionGaps: { open: number; oldest: { position: string }[] } }[];
      };
      return clusters[0]?.positionGaps;
    };
    const gap = { open: 1, oldest: [{ position: loan, kind: 'loan' }] };
    // another process may be elected in the meantime
    const servers = [writer, ...[...apis, reading].map((each) => async () => each)];
    for (const server of servers) {
      await expect.poll(async () => openGaps((await server()).url)).toMatchObject(gap);
    }
    const dayAgo = new Date(Date.now() - 86_400_000).toISOString();
    const series = `/svc-market/${market}/metrics/history?frequency=hour&start=${dayAgo}`;
    const read = async (each: string, path: string) => {
      const response = await fetch(`${each}${path}`);
      const text = await response.text();
      return { status: response.status, gaps: response.headers.get('x-gaps'), text };
    };
    const answers = async (server: (typeof servers)[number]) => {
      const { url } = await server();
      const past = await read(url, series);
      const profit = await read(
        url,
        `/v2/svc-market/${market}/obligations/${loan}/pnl?minContextSlot=${changed}`,
      );
      return [past.status, past.gaps, profit.status, profit.text];
    };
    const incomplete = expect.stringContaining('HISTORY_INCOMPLETE');
    for (const server of servers) {
      await expect
        .poll(() => answers(server))
        .toEqual([200, expect.stringMatching(/Z/), 503, incomplete]);
    }
    reading.process.kill('SIGKILL');
  });

  test('without Redis the present stays available and gets older, and then it recovers', async () => {
    const [api] = apis;
    const { url } = api ?? { url: '' };
    await redis.stop();
    const before = await get(url, '/kvaults/vaults');
    expect(before.status).toBe(200);
    await expect
      .poll(async () => (await get(url, '/kvaults/vaults')).ageMs)
      .toBeGreaterThan(before.ageMs + 3_000);
    expect((await get(url, '/kvaults/vaults')).slot).toBeLessThanOrEqual(before.slot + 10);
    await redis.restart();
    await expect
      .poll(async () => (await get(url, '/kvaults/vaults')).slot)
      .toBeGreaterThan(before.slot + 10);
    await waitUntilReady(url);
  });

  test('only the writer says that it records the history', async () => {
    const readMetrics = async (url: string) => (await fetch(`${url}/metrics`)).text();
    const metric = 'tidegate_history_recording{cluster="localnet"}';
    expect(await readMetrics((await writer()).url)).toContain(`${metric} 1`);
    for (const { url } of apis) expect(await readMetrics(url)).toContain(`${metric} 0`);
  });

  test('a writer whose database was restored is elected again, and publishes', async () => {
    const { out } = await writer();
    const { slot } = await get(apis[0]?.url ?? '', '/kvaults/vaults');
    await runStatements(env['DATABASE_URL'] ?? '', `update ${EPOCH_TABLE} set epoch = 0`);
    await expect.poll(out).toContain('the database was restored or replaced');
    await expect
      .poll(async () => (await Promise.all(indexes.map(isReady))).includes(true))
      .toBe(true);
    for (const { url } of apis) {
      const { slot: published } = await get((await writer()).url, '/kvaults/vaults');
      await expect
        .poll(async () => (await get(url, '/kvaults/vaults')).slot)
        .toBeGreaterThan(Math.max(slot, published));
    }
  });

  test('a frozen writer is replaced, and does not write when it wakes up', async () => {
    const frozen = await writer();
    const [api] = apis;
    frozen.process.kill('SIGSTOP');
    const standby = indexes.find((index) => index !== frozen);
    if (standby === undefined) throw new Error('there is no standby');
    await waitUntilReady(standby.url);
    const { slot } = await get(standby.url, '/kvaults/vaults');
    await expect
      .poll(async () => (await get(api?.url ?? '', '/kvaults/vaults')).slot)
      .toBeGreaterThan(slot);
    frozen.process.kill('SIGCONT');
    await expect.poll(() => frozen.out()).toContain('this process does not write any more');
    await expect.poll(async () => (await get(frozen.url, '/ready')).status).toBe(503);
    expect(await isReady(standby)).toBe(true);
  });

  test('after the writer is killed the standby takes over, and api processes go on', async () => {
    const killed = await writer();
    const before = await Promise.all(apis.map(({ url }) => get(url, '/kvaults/vaults')));
    killed.process.kill('SIGKILL');
    indexes = indexes.filter((index) => index !== killed);
    for (const { url } of apis) expect((await get(url, '/kvaults/vaults')).status).toBe(200);
    await expect.poll(async () => indexes[0] && (await isReady(indexes[0]))).toBe(true);
    for (const [i, { url }] of apis.entries()) {
      await expect
        .poll(async () => (await get(url, '/kvaults/vaults')).slot)
        .toBeGreaterThan((before[i]?.slot ?? 0) + 10);
    }
    await expectSameAnswers([...indexes, ...apis], '/kvaults/vaults');
  });

  test('an api process that starts answers when it has caught up with the writer', async () => {
    const [running] = apis;
    const last = await writer();
    last.process.kill('SIGSTOP');
    const { slot } = await get(running?.url ?? '', '/kvaults/vaults');
    const started = await startCommand(['api'], env, onEnd);
    apis.push(started);
    const { url } = started;
    // it has loaded everything that Redis has, and does not know how old that is
    await expect
      .poll(async () => (await get(url, '/ready')).body)
      .toMatchObject({
        waitingFor: ['localnet: the newest state of the index process'],
      });
    expect((await get(url, '/kvaults/vaults')).status).toBe(503);
    last.process.kill('SIGCONT');
    await waitUntilReady(url);
    expect((await get(url, '/kvaults/vaults')).slot).toBeGreaterThan(slot);
  });
});

const EPOCH_TABLE = 'tidegate_localnet.writer_epoch';
