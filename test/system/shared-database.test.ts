import { cpSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { findPostgresServer } from '../support/history/postgres-server.ts';
import { createPostgresDatabase } from '../support/history/test-databases.ts';
import {
  runTidegate,
  simulatedDataDir,
  startLocalnetProcess,
  startServerAsIs,
  temporaryFolder,
  waitUntilReady,
} from '../support/processes/run-tidegate.ts';

const postgres = await findPostgresServer();

test.skipIf(postgres === undefined)(
  'of two copies of a data folder, the first that writes has the database',
  async () => {
    const { location, remove } = await createPostgresDatabase(postgres ?? '');
    onTestFinished(remove);
    const DATABASE_URL = location.url ?? '';
    const DATA_DIR = await simulatedDataDir();
    const copied = temporaryFolder();
    cpSync(DATA_DIR, copied, { recursive: true });

    const first = await startServerAsIs({ DATA_DIR, DATABASE_URL });
    await waitUntilReady(first.url);
    const replay = await runTidegate(['replay'], { DATA_DIR, DATABASE_URL });
    expect(replay.code).toBe(1);
    expect(replay.err).toMatch(
      /^tidegate: Another server records the history in the database .* \(tidegate serve \(process \d+ on .+\). Stop it, or use another DATABASE_URL\.\n$/,
    );
    const beside = await runTidegate(['serve'], { DATA_DIR: copied, DATABASE_URL, PORT: '0' });
    expect(beside.code).toBe(1);
    expect(beside.err.split('\n').filter((line) => line.startsWith('tidegate: '))).toEqual([
      expect.stringMatching(
        /^tidegate: Another server records the history in the database .* \(tidegate serve \(process \d+ on .+\)/,
      ),
    ]);
    first.process.kill('SIGTERM');
    expect((await first.finished).code).toBe(0);

    const second = await runTidegate(['serve'], { DATA_DIR: copied, DATABASE_URL, PORT: '0' });
    expect(second.code).toBe(1);
    const lines = second.err.split('\n').filter((line) => line.startsWith('tidegate: '));
    expect(lines).toEqual([
      expect.stringMatching(
        /The database contains the history of another cluster \(a localnet whose data folder is a copy of this one instead of the one in this folder\)\. Use another DATA_DIR or DATABASE_URL\./,
      ),
    ]);

    const again = await startServerAsIs({ DATA_DIR, DATABASE_URL });
    await waitUntilReady(again.url);
  },
);

test('a second server on the data folder of a running one ends, and the first goes on', async () => {
  const DATA_DIR = await simulatedDataDir();
  const first = await startServerAsIs({ DATA_DIR });
  await waitUntilReady(first.url);
  const second = await runTidegate(['serve'], { DATA_DIR, PORT: '0' });
  expect(second.code).toBe(1);
  const lines = second.err.split('\n').filter((line) => line.startsWith('tidegate: '));
  expect(lines).toEqual([
    expect.stringMatching(/^tidegate: The data folder \S+ is in use by process \d+\. /),
  ]);
  expect(lines[0]).toContain(`process ${first.process.pid}.`);
  expect((await fetch(`${first.url}/ready`)).status).toBe(200);
});

test('so does one with the same folder and RPC_URL', async () => {
  const { rpcUrl, wsUrl } = await startLocalnetProcess();
  const env = { RPC_URL: rpcUrl, WS_URL: wsUrl, CLUSTER: 'localnet' };
  const DATA_DIR = temporaryFolder();
  const first = await startServerAsIs({ ...env, DATA_DIR });
  await waitUntilReady(first.url);
  const second = await runTidegate(['serve'], { ...env, DATA_DIR, PORT: '0' });
  expect(second.code).toBe(1);
  expect(second.err).toContain(`is in use by process ${first.process.pid}.`);
  expect((await fetch(`${first.url}/ready`)).status).toBe(200);
});
