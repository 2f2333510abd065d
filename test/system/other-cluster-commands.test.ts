import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '#server/cli/settings/settings.ts';
import { runBackfill } from '#server/composition/tasks/backfill.ts';
import { runImport } from '#server/composition/tasks/import-series.ts';
import { claimHistory } from '#server/history/cluster-identity.ts';
import { openHistory } from '#server/history/open-history.ts';
import { catchError } from '../support/errors/catch-error.ts';
import { silentLog } from '../support/fakes/silent-log.ts';
import { dumpRows } from '../support/history/history-reads.ts';
import { startGoldenLocalnet } from '../support/localnet/golden-localnet.ts';
import { temporaryFolder } from '../support/processes/run-tidegate.ts';

/** A data folder whose history of a cluster is that of another genesis. */
async function folderOfAnother(cluster: 'localnet' | 'mainnet-beta') {
  const dataDir = temporaryFolder();
  const open = () =>
    openHistory({ url: undefined, folder: join(dataDir, 'history', cluster), log: silentLog });
  const history = await open();
  await claimHistory(history.db, { genesis: 'another' });
  const before = await dumpRows(history);
  await history.close();
  const read = async () => {
    const later = await open();
    const rows = await dumpRows(later);
    await later.close();
    return rows;
  };
  return { dataDir, before, read };
}

const configOf = (settings: Readonly<Record<string, string>>) =>
  readConfig({ 'log-level': 'silent', ...settings });

test('a backfill into the database of another cluster is refused and writes nothing', async () => {
  const { rpcUrl } = await startGoldenLocalnet();
  const { dataDir, before, read } = await folderOfAnother('localnet');
  const config = configOf({ cluster: 'localnet', 'rpc-url': rpcUrl, 'data-dir': dataDir });
  const error = await catchError(runBackfill(config, { addresses: [] }));
  expect(error?.code).toBe('HISTORY_OF_ANOTHER');
  expect(error?.message).toContain('(the cluster with the genesis hash another instead of ');
  expect(await read()).toEqual(before);
});

test('an import into the database of another cluster is refused before anything is requested', async () => {
  const requests: (string | undefined)[] = [];
  const remote = createServer(({ url }, response) => {
    requests.push(url);
    response.end('[]');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void remote.close());
  await new Promise((resolve) => remote.once('listening', resolve));
  const from = `http://127.0.0.1:${(remote.address() as AddressInfo).port}`;
  const { dataDir, before, read } = await folderOfAnother('mainnet-beta');
  const config = configOf({ cluster: 'mainnet-beta', 'data-dir': dataDir });
  const error = await catchError(runImport(config, { from }));
  expect(error?.code).toBe('HISTORY_OF_ANOTHER');
  expect(requests).toEqual([]);
  expect(await read()).toEqual(before);
});
