import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { encodeBase58 } from '#core/base/encoding/base58.ts';
import { openReadOnlyHistory } from '#server/history/open-history.ts';
import { silentLog } from '../support/fakes/silent-log.ts';
import { findPostgresServer } from '../support/history/postgres-server.ts';
import { createPostgresDatabase } from '../support/history/test-databases.ts';
import { StreamClient } from '../support/http/stream-client.ts';
import { createDepositSender } from '../support/localnet/deposit-sender.ts';
import { hasRedis, type RedisProcess, startRedis } from '../support/processes/redis-process.ts';
import {
  type LocalnetAddresses,
  type RunningServer,
  startCommand,
  startLocalnetProcess,
  startServer,
  waitUntilReady,
} from '../support/processes/run-tidegate.ts';
import { fileScope } from '../support/processes/test-scope.ts';

const postgres = await findPostgresServer();
const PATIENTLY = { interval: 50 };
const onEnd = fileScope();

/** Reads a stream over all ends of its connections, as `EventSource` does, from whichever server is given last. */
class ReconnectingClient {
  readonly received: { readonly id: string; readonly event: string; readonly data: unknown }[] = [];
  readonly #path: string;
  #url: string;
  #client: StreamClient | undefined;
  #isClosed = false;
  lastEventId = '';

  constructor(url: string, path: string) {
    this.#url = url;
    this.#path = path;
    void this.#run();
  }

  connectTo(url: string): void {
    this.#url = url;
  }

  close(): void {
    this.#isClosed = true;
    this.#client?.close();
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      const headers = this.lastEventId === '' ? {} : { 'last-event-id': this.lastEventId };
      const client = await StreamClient.open(`${this.#url}${this.#path}`, headers).catch(() => {});
      if (client !== undefined) await this.#read(client);
      await sleep(20);
    }
  }

  async #read(client: StreamClient): Promise<void> {
    this.#client = client;
    while (!client.hasEnded || client.events.length > 0) {
      for (const { id = '', event, data } of client.events.splice(0)) {
        this.received.push({ id, event, data });
      }
      if (client.lastEventId !== '') this.lastEventId = client.lastEventId;
      await sleep(5);
    }
  }
}

const signaturesOf = (client: ReconnectingClient): string[] =>
  client.received
    .filter(({ event }) => event === 'transaction')
    .map(({ data }) => (data as { signature: string }).signature);

describe.skipIf(postgres === undefined || !hasRedis())('streams of several api processes', () => {
  let redis: RedisProcess;
  let removeDatabase: () => Promise<void>;
  let localnet: LocalnetAddresses;
  let databaseUrl: string;
  let env: Readonly<Record<string, string>>;
  let index: RunningServer;
  let apis: RunningServer[];
  let deposit: (url: string) => Promise<string>;

  beforeAll(async () => {
    const database = await createPostgresDatabase(postgres ?? '');
    removeDatabase = database.remove;
    databaseUrl = database.location.url ?? '';
    redis = await startRedis();
    localnet = await startLocalnetProcess(onEnd);
    const { rpcUrl, wsUrl } = localnet;
    env = {
      RPC_URL: rpcUrl,
      WS_URL: wsUrl,
      CLUSTER: 'localnet',
      DATABASE_URL: databaseUrl,
      REDIS_URL: redis.url,
    };
    index = await startCommand(['index'], env, onEnd);
    await waitUntilReady(index.url);
    apis = [await startCommand(['api'], env, onEnd), await startCommand(['api'], env, onEnd)];
    for (const { url } of apis) await waitUntilReady(url);
    deposit = createDepositSender({ ...localnet, reserve: await depositReserve(index.url) });
  });

  /** A reserve whose tokens the demo wallet has. */
  async function depositReserve(url: string): Promise<string> {
    const { market, wallet } = localnet;
    const response = await fetch(`${url}/svc-market/${market}/users/${wallet}/obligations`);
    const [loan] = (await response.json()) as [
      { readonly state: { readonly deposits: readonly { readonly depositReserve: string }[] } },
    ];
    return loan.state.deposits[0]?.depositReserve ?? '';
  }

  afterAll(async () => {
    for (const { process: child } of [index, ...apis]) child.kill('SIGKILL');
    await redis.stop();
    await removeDatabase();
  });

  /** Signatures of all events of the market, read from the database itself. */
  async function recordedAfter(number: bigint): Promise<string[]> {
    const schema = 'tidegate_localnet';
    const history = openReadOnlyHistory({ url: databaseUrl, schema, log: silentLog });
    try {
      const { rows } = await sql<{ signature: Uint8Array; market: Uint8Array }>`
        select event.signature, address.bytes as market from lending_event as event
        join address on address.id = event.market
        where event.recorded > ${number}::int8
        order by event.recorded, event.slot, event.place, event.path, event.leg`.execute(
        history.db,
      );
      return rows
        .filter(({ market }) => encodeBase58(new Uint8Array(market)) === localnet.market)
        .map(({ signature }) => encodeBase58(new Uint8Array(signature)));
    } finally {
      await history.close();
    }
  }

  test('state follows the chain in each process', async () => {
    const path = `/svc-market/${localnet.market}/reserves/metrics`;
    for (const { url } of apis) {
      const client = await StreamClient.open(`${url}${path}`);
      await expect.poll(() => client.ids('update').length, PATIENTLY).toBeGreaterThan(2);
      const slots = client.ids('update').map(Number);
      expect(slots).toEqual([...new Set(slots)].toSorted((a, b) => a - b));
      client.close();
    }
  });

  test('no event is lost or repeated over kills of api and index processes', async () => {
    const path = `/stream/transactions?market=${localnet.market}`;
    const urls = () => apis.map(({ url }) => url);
    const client = new ReconnectingClient(urls()[0] ?? '', path);
    onTestFinished(() => client.close());
    await expect.poll(() => client.lastEventId, PATIENTLY).not.toBe('');
    const begin = BigInt(client.lastEventId.split('-')[0] ?? '0');
    const sent: string[] = [];
    const send = async (url: string | undefined) => sent.push(await deposit(url ?? ''));
    /** Everything that was sent has arrived. */
    const arrived = () =>
      expect.poll(() => sent.filter((each) => !signaturesOf(client).includes(each)), PATIENTLY);
    for (let count = 0; count < 3; count += 1) await send(urls()[0]);
    await arrived().toEqual([]);

    await send(urls()[0]);
    apis[0]?.process.kill('SIGKILL');
    await send(urls()[1]);
    client.connectTo(urls()[1] ?? '');
    await arrived().toEqual([]);

    await send(urls()[1]);
    index.process.kill('SIGKILL');
    await send(urls()[1]);
    index = await startCommand(['index'], env, onEnd);
    apis[0] = await startCommand(['api'], env, onEnd);
    await waitUntilReady(apis[0].url);
    client.connectTo(apis[0].url);
    apis[1]?.process.kill('SIGTERM');
    await send(apis[0].url);
    await arrived().toEqual([]);

    const received = client.received.filter(({ event }) => event === 'transaction');
    client.close();
    expect(new Set(received.map(({ id }) => id)).size).toBe(received.length);
    const recorded = await recordedAfter(begin);
    expect(signaturesOf(client)).toEqual(recorded.slice(0, received.length));
  });
});

test('workers of one server stream alike, and say so when they stop', async () => {
  const server = await startServer({ WORKERS: '2' });
  await waitUntilReady(server.url);
  const clients = await Promise.all(
    Array.from({ length: 6 }, () => StreamClient.open(`${server.url}/oracles/prices`)),
  );
  for (const client of clients) {
    await expect.poll(() => client.ids('update').length, PATIENTLY).toBeGreaterThan(1);
  }
  server.process.kill('SIGTERM');
  await server.finished;
  for (const client of clients) {
    await expect.poll(() => client.hasEnded, PATIENTLY).toBe(true);
    expect(client.data('closed')).toMatchObject([{ code: 'SHUTTING_DOWN' }]);
  }
});
