import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  temporaryDataFolder,
  warningsLog,
} from '../../../../test/support/localnet/stored-clusters.ts';
import { repairWalletKeyFiles, writeWalletKeyFiles } from './wallet-key-files.ts';

const SEED = 'tidegate';

test('damaged and missing key files are written again, and what was there is renamed', () => {
  const folder = temporaryDataFolder();
  const file = (wallet: number) => join(folder, `wallet-${wallet}.json`);
  writeWalletKeyFiles(folder, SEED);
  const written = [0, 1, 2].map((wallet) => readFileSync(file(wallet), 'utf8'));
  const log = warningsLog();
  repairWalletKeyFiles(folder, SEED, log);
  expect(log.warnings).toEqual([]);

  writeFileSync(file(0), '[12,');
  rmSync(file(1));
  repairWalletKeyFiles(folder, SEED, log);
  expect([0, 1, 2].map((wallet) => readFileSync(file(wallet), 'utf8'))).toEqual(written);
  expect(readFileSync(`${file(0)}.damaged`, 'utf8')).toBe('[12,');
  expect(log.warnings).toEqual([
    expect.objectContaining({ file: file(0), renamed: `${file(0)}.damaged` }),
  ]);
});
