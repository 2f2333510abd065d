import { expect, test } from 'vitest';
import { waitUntilReady } from '../../support/clusters/served-cluster.ts';
import { withAccounts } from '../../support/recorded-mainnet/edit-account.ts';
import {
  MAIN_MARKET,
  USDC_DEPOSIT_LOAN,
  USDC_VAULT,
} from '../../support/recorded-mainnet/recorded-addresses.ts';
import { startRecordedMainnet } from '../../support/recorded-mainnet/recorded-mainnet.ts';
import {
  completeCluster,
  SHAREHOLDER,
  vaultShares,
} from '../../support/recorded-mainnet/scenarios.ts';
import { startServer } from '../../support/recorded-mainnet/start-server.ts';

const LOAN = `/v2/svc-market/${MAIN_MARKET}/obligations/${USDC_DEPOSIT_LOAN}`;
const POSITION = `/kvaults/users/${SHAREHOLDER}/vaults/${USDC_VAULT}`;
const DAY = 'start=2026-08-06T00:00:00Z&end=2026-08-06T23:00:00Z';

/** An instance that has just started, on a cluster with positions whose transactions are not known. */
async function serveYoung() {
  const accounts = withAccounts(completeCluster(), vaultShares());
  const node = await startRecordedMainnet({ accounts });
  const api = await startServer(node, { recordsHistory: true });
  await waitUntilReady(api);
  return api;
}

test('figures of a position are not computed from a part of its history', async () => {
  const api = await serveYoung();
  const paths = [
    `${LOAN}/pnl`,
    `${LOAN}/interest-fees`,
    `${LOAN}/interest-paid`,
    `${LOAN}/transactions`,
    `${LOAN}/metrics/history`,
    `${POSITION}/pnl`,
    `${POSITION}/pnl/history?${DAY}`,
    `${POSITION}/metrics/history`,
    `/owners/${SHAREHOLDER}/net-values/history`,
  ];
  const responses = await Promise.all(
    paths.map(async (path) => {
      const { status, body, headers } = await api.get(path);
      const { code } = body as { readonly code?: string };
      return { path, status, code, retries: headers.has('retry-after') };
    }),
  );
  const incomplete = { status: 503, code: 'HISTORY_INCOMPLETE', retries: true };
  expect(responses).toEqual(paths.map((path) => ({ path, ...incomplete })));
});

/** From the vault's creation (its account) to the slot that the node starts with. */
const VAULT_AGE_SECONDS = 1_786_057_260 - 1_750_986_024;
const YEAR_SECONDS = 365 * 24 * 60 * 60;
const WINDOWS = ['apy24h', 'apy7d', 'apy30d', 'apy90d', 'apy180d', 'apy365d'];

test('trailing rates count the age of the vault', async () => {
  const api = await serveYoung();
  const { body, headers } = await api.get(`/kvaults/vaults/${USDC_VAULT}/metrics`);
  const metrics = body as Readonly<Record<string, string>>;
  // a share was worth one token at first
  const growth = Number(metrics['tokensPerShare']);
  const expected = growth ** (YEAR_SECONDS / VAULT_AGE_SECONDS) - 1;
  for (const window of WINDOWS) expect(Number(metrics[window])).toBeCloseTo(expected, 6);
  const estimated = (headers.get('x-estimated') ?? '').split(', ');
  expect(estimated).toEqual(expect.arrayContaining(WINDOWS));
});
