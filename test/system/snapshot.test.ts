import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type RunningServer,
  runTidegate,
  simulatedDataDir,
  startServerAsIs,
  temporaryFolder,
  waitUntilReady,
} from '../support/processes/run-tidegate.ts';
import { onTestEnd } from '../support/processes/test-scope.ts';

/** After a start, the past is refused until the events of the newest slots are recorded. */
async function readJson(url: string): Promise<unknown> {
  let body: unknown;
  await expect
    .poll(
      async () => {
        const response = await fetch(url);
        body = await response.json();
        return response.status;
      },
      { message: url },
    )
    .toBe(200);
  return body;
}

type Demo = { readonly wallet: string; readonly market: string; readonly vault: string };

/** Answers about the past, which a later start must repeat. */
async function readPast({ url }: RunningServer, demo: Demo, range: string): Promise<unknown> {
  const paths = [
    `/kvaults/vaults/${demo.vault}/metrics/history?${range}`,
    `/svc-market/${demo.market}/metrics/history?${range}`,
    `/kvaults/users/${demo.wallet}/metrics/history?${range}`,
  ];
  return Promise.all(paths.map((path) => readJson(`${url}${path}`)));
}

async function stop({ process: child, finished }: RunningServer): Promise<void> {
  child.kill('SIGTERM');
  expect((await finished).code).toBe(0);
}

test('a server on a loaded snapshot gives the same answers', async () => {
  const source = await simulatedDataDir();
  const file = join(temporaryFolder(), 'backup.tar.gz');
  const save = (...flags: string[]) =>
    runTidegate(['snapshot', 'save', file, ...flags], { DATA_DIR: source });
  await runTidegate(['keys', 'create'], { DATA_DIR: source });
  const first = await startServerAsIs({ DATA_DIR: source });
  await waitUntilReady(first.url);
  const { demo } = (await readJson(`${first.url}/status`)) as { demo: Demo };
  const now = Date.now();
  const [start, end] = [now - 20 * 3_600_000, now - 3_600_000].map((ms) =>
    new Date(ms).toISOString(),
  );
  const range = `start=${start}&end=${end}`;
  const before = await readPast(first, demo, range);

  const running = await save();
  expect(running.code).toBe(1);
  expect(running.err).toMatch(/^tidegate: The data folder .* is in use by process \d+\./);
  expect(existsSync(file)).toBe(false);
  await stop(first);

  const saved = await save();
  expect(saved).toMatchObject({ code: 0, err: '' });
  expect(saved.out).toMatch(
    /^Saved .*\n {2}localnet: slot \d+ \(.*\)\n {2}\d+ entries, .* without API keys\n/,
  );
  expect((await save()).err).toContain('exists. Choose another name');

  const target = temporaryFolder();
  const loaded = await runTidegate(['snapshot', 'load', file], { DATA_DIR: target });
  expect(loaded).toMatchObject({ code: 0, err: '' });
  expect(readdirSync(target).toSorted()).toEqual(['history', 'localnet']);
  expect((await runTidegate(['snapshot', 'load', file], { DATA_DIR: target })).err).toContain(
    'is not empty: it has localnet, history. Pass --force',
  );
  const second = await startServerAsIs({ DATA_DIR: target }, onTestEnd);
  await waitUntilReady(second.url);
  expect(await readJson(`${second.url}/status`)).toMatchObject({
    demo: { wallet: demo.wallet, vault: demo.vault },
  });
  expect(await readPast(second, demo, range)).toEqual(before);
  const keyFile = (folder: string) =>
    readFileSync(join(folder, 'localnet/keys/wallet-0.json'), 'utf8');
  expect(keyFile(target)).toBe(keyFile(source));
});

test('a folder without data and a PostgreSQL history are refused', async () => {
  const file = join(temporaryFolder(), 'backup.tar.gz');
  expect((await runTidegate(['snapshot', 'save', file])).err).toContain(
    'has no cluster and no history.',
  );
  const databaseUrl = { DATABASE_URL: 'postgres://user:secret@localhost/tidegate' };
  for (const command of ['save', 'load']) {
    const { code, err } = await runTidegate(['snapshot', command, file], databaseUrl);
    expect([code, err]).toEqual([1, expect.stringContaining('DATABASE_URL is set.')]);
  }
});
