import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockFolder } from '@tidegate/localnet/storage';
import { expect, onTestFinished, test } from 'vitest';
import { catchAsyncError } from '../../../../../test/support/errors/catch-async-error.ts';
import { readConfig } from '../settings/settings.ts';
import { type BackfillFlags, runBackfill } from './backfill.ts';

const RPC_URL = 'http://127.0.0.1:9/';

function refusalOf(flags: Partial<BackfillFlags>, settings: Readonly<Record<string, string>>) {
  const config = readConfig({ 'log-level': 'silent', ...settings });
  return catchAsyncError(runBackfill(config, { addresses: [], ...flags }));
}

test('without a cluster there is nothing to fetch', async () => {
  const refused = await refusalOf({}, {});
  expect(refused.message).toContain('Set RPC_URL');
});

test('an address that is none is refused before anything is opened', async () => {
  const refused = await refusalOf({ addresses: ['abc'] }, { 'rpc-url': RPC_URL });
  expect(refused.message).toBe('--address is "abc". It accepts base58 addresses of accounts.');
});

test('a folder that a server has is left alone', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'backfill-'));
  const folder = join(dataDir, 'history', 'devnet');
  const lock = lockFolder(folder, 'history.lock');
  onTestFinished(() => {
    lock.release();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const settings = { 'rpc-url': RPC_URL, cluster: 'devnet', 'data-dir': dataDir };
  const refused = await refusalOf({}, settings);
  expect(refused.code).toBe('DATA_FOLDER_IN_USE');
  expect(refused.message).toContain(folder);
});
