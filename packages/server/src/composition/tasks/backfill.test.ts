import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockFolder } from '@tidegate/localnet/storage';
import { expect, onTestFinished, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { readConfig } from '../../cli/settings/settings.ts';
import { type BackfillFlags, runBackfill } from './backfill.ts';

const RPC_URL = 'http://127.0.0.1:9/';

function catchBackfillError(
  flags: Partial<BackfillFlags>,
  settings: Readonly<Record<string, string>>,
) {
  const config = readConfig({ 'log-level': 'silent', ...settings });
  return catchError(runBackfill(config, { addresses: [], ...flags }));
}

test('a backfill needs RPC_URL', async () => {
  const error = await catchBackfillError({}, {});
  expect(error?.message).toContain('Set RPC_URL');
});

test('an invalid address is rejected before the history is opened', async () => {
  const error = await catchBackfillError({ addresses: ['abc'] }, { 'rpc-url': RPC_URL });
  expect(error?.message).toBe('--address is "abc". It accepts base58 addresses of accounts.');
});

test('a data folder that a server uses is rejected', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'backfill-'));
  const folder = join(dataDir, 'history', 'devnet');
  const lock = lockFolder(folder, 'history.lock');
  onTestFinished(() => {
    lock.release();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const settings = { 'rpc-url': RPC_URL, cluster: 'devnet', 'data-dir': dataDir };
  const error = await catchBackfillError({}, settings);
  expect(error?.code).toBe('DATA_FOLDER_IN_USE');
  expect(error?.message).toContain(folder);
});
