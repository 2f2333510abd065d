import { expect, onTestFinished, test } from 'vitest';
import { findPostgresServer } from '../support/history/postgres-server.ts';
import { createPostgresDatabase } from '../support/history/test-databases.ts';
import { hasRedis, startRedis } from '../support/processes/redis-process.ts';
import {
  startCommand,
  startLocalnetProcess,
  waitUntilReady,
} from '../support/processes/run-tidegate.ts';

const postgres = await findPostgresServer();

test.skipIf(postgres === undefined || !hasRedis())(
  'a server beside an index process reads the history, and records it when the other one ends',
  async () => {
    const { location, remove } = await createPostgresDatabase(postgres ?? '');
    onTestFinished(remove);
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const { rpcUrl, wsUrl } = await startLocalnetProcess();
    const env = {
      RPC_URL: rpcUrl,
      WS_URL: wsUrl,
      CLUSTER: 'localnet',
      DATABASE_URL: location.url ?? '',
      REDIS_URL: redis.url,
    };
    const index = await startCommand(['index'], env);
    await waitUntilReady(index.url);
    const readHistory = async (url: string) => {
      const response = await fetch(`${url}/status`);
      const { clusters } = (await response.json()) as { clusters: { history: object }[] };
      return clusters[0]?.history;
    };
    const isRecording = async ({ url }: { readonly url: string }) => {
      const history = (await readHistory(url)) as { readonly recording: boolean };
      return history.recording;
    };
    /** On a busy machine, the lock of the index process can expire: then the server writes, and it is started again. */
    const startBesideIndex = async (): Promise<Awaited<ReturnType<typeof startCommand>>> => {
      await expect.poll(() => isRecording(index)).toBe(true);
      const started = await startCommand(['serve'], env);
      await waitUntilReady(started.url);
      await expect
        .poll(async () => JSON.stringify(await readHistory(started.url)))
        .toMatch(/"recording":true|Another server records the history in this database\./);
      if (!(await isRecording(started))) return started;
      started.process.kill('SIGTERM');
      await started.finished;
      return await startBesideIndex();
    };
    const server = await startBesideIndex();
    expect(await readHistory(server.url)).toMatchObject({ available: true, recording: false });
    const events = await fetch(`${server.url}/events/recent`);
    expect(events.status).toBe(200);
    expect(server.out()).toContain('history is not recorded');

    index.process.kill('SIGTERM');
    expect((await index.finished).code).toBe(0);
    await expect.poll(() => readHistory(server.url)).toMatchObject({ recording: true });
    await expect.poll(() => server.out()).toContain('history is recorded again');
  },
);
