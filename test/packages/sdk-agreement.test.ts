import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { waitUntilReady } from '../support/clusters/served-cluster.ts';
import { withAccounts } from '../support/recorded-mainnet/edit-account.ts';
import {
  MAIN_MARKET,
  SOL_USDC_LOAN,
  SOL_USDC_OWNER,
  USDC_VAULT,
} from '../support/recorded-mainnet/recorded-addresses.ts';
import { startRecordedMainnet } from '../support/recorded-mainnet/recorded-mainnet.ts';
import { completeCluster, refreshedSolReserve } from '../support/recorded-mainnet/scenarios.ts';
import { startServer } from '../support/recorded-mainnet/start-server.ts';

const run = promisify(execFile);
const peers = new URL('../../bench/peers/', import.meta.url);

/** Only the benchmarks install it. */
const isInstalled = existsSync(new URL('node_modules/@kamino-finance/klend-sdk', peers));

type Figures = Readonly<Record<string, string | number>>;
type SdkFigures = {
  readonly reserves: Readonly<Record<string, Figures>>;
  readonly loan: Figures;
  readonly vault: Figures;
};

/**
 * The SDK computes in floating point, and accrues interest since the last refresh by the real slot
 * duration, the program by half a second. So reserves must be recent.
 */
const MAX_RELATIVE_DIFFERENCE = 1e-6;

/** Compares the fields of `theirs`. */
function expectAgreement(ours: Figures, theirs: Figures): void {
  const differences = Object.entries(theirs).map(([name, value]) => {
    const expected = Number(value);
    return [name, Math.abs(Number(ours[name]) - expected) / Math.abs(expected)] as const;
  });
  expect(differences.filter(([, each]) => !(each <= MAX_RELATIVE_DIFFERENCE))).toEqual([]);
}

test.skipIf(!isInstalled)('reserves, loans and vaults agree with the official SDK', async () => {
  const accounts = withAccounts(completeCluster(), refreshedSolReserve());
  const node = await startRecordedMainnet({ accounts });
  const api = await startServer(node);
  await waitUntilReady(api);
  node.faults.set({ stoppedSlots: true });
  // all updates of the last complete slot have arrived
  const served = () => api.get('/health').then(({ headers }) => headers.get('x-slot'));
  await expect.poll(served).toBe(String(node.state.slot - 1n));
  const [reserves, loans, vault] = await Promise.all([
    api.get(`/svc-market/${MAIN_MARKET}/reserves/metrics`),
    api.get(`/svc-market/${MAIN_MARKET}/users/${SOL_USDC_OWNER}/obligations`),
    api.get(`/kvaults/vaults/${USDC_VAULT}/metrics`),
  ]);
  const slot = String(node.state.slot - 1n);
  for (const { headers } of [reserves, loans, vault]) expect(headers.get('x-slot')).toBe(slot);

  const script = fileURLToPath(new URL('recorded-figures.js', peers));
  const args = [script, node.rpcUrl.href, MAIN_MARKET, SOL_USDC_LOAN, USDC_VAULT, slot];
  const { stdout } = await run(process.execPath, args);
  const sdk = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as SdkFigures;

  const rows = reserves.body as (Figures & { readonly reserve: string })[];
  expect(rows).toHaveLength(Object.keys(sdk.reserves).length);
  for (const row of rows) expectAgreement(row, sdk.reserves[row.reserve] ?? {});
  const [loan] = loans.body as { readonly refreshedStats: Figures }[];
  expectAgreement(
    {
      deposit: loan?.refreshedStats['userTotalDeposit'] ?? '',
      borrow: loan?.refreshedStats['userTotalBorrow'] ?? '',
      loanToValue: loan?.refreshedStats['loanToValue'] ?? '',
    },
    sdk.loan,
  );
  expectAgreement(vault.body as Figures, sdk.vault);
});
