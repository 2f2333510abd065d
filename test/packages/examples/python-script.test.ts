import { execFile, execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { decodeWireTransaction } from '#core/protocol/spl/transaction/wire.ts';
import { startGenesisApi } from '../../support/clusters/genesis-api.ts';

const run = promisify(execFile);
const script = fileURLToPath(new URL('../../../examples/python-script.py', import.meta.url));

const hasPython = (() => {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

test.skipIf(!hasPython)('the Python script reads a wallet and builds a deposit', async () => {
  const { api, metadata } = await startGenesisApi();
  const { wallet, vault, obligation } = metadata.demo;
  const args = [script, api.url, wallet, vault];
  const { stdout } = await run('python3', [...args, '1.5']);
  const lines = stdout.trim().split('\n');
  expect(lines[0]).toMatch(/^slot \d+, \d+ ms old$/);
  const { body } = await api.get(`/kvaults/users/${wallet}/positions`);
  const [position] = body as { vaultAddress: string; totalShares: string }[];
  expect(stdout).toContain(`vault ${position?.vaultAddress}: ${position?.totalShares} shares`);
  expect(stdout).toMatch(
    new RegExp(`^loan ${obligation}: LTV 0\\.\\d{4}, liquidated from 0\\.`, 'm'),
  );
  const wire = Uint8Array.from(Buffer.from(lines.at(-1) ?? '', 'base64'));
  expect(decodeWireTransaction(wire).message.staticKeys[0]).toBe(wallet);

  const failed = await run('python3', [...args, '0.00000001']).catch((error) => error);
  expect(failed.stderr).toMatch(/^[A-Z_]+: ./);
});
