import { expect, test } from 'vitest';
import { VaultMetrics } from '#server/operations/vaults/metrics/schema.ts';
import { VaultMetricsPoint } from '#server/operations/vaults/metrics-history/schema.ts';
import { goldenCluster } from '../../support/golden/golden.ts';
import { goldenVault } from '../../support/golden/golden-addresses.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { startHistoryApi } from '../../support/history/history-api.ts';
import { MIDNIGHT } from '../../support/history/history-rows.ts';
import {
  GOLDEN_MARKET,
  goldenReservePoint,
  USDC_RESERVE,
} from '../../support/history/reserve-history-rows.ts';
import {
  NOW,
  startVaultHistoryApi,
  vaultHourPoint,
} from '../../support/history/vault-history-rows.ts';

const OCTOBER = BigInt(Date.UTC(2025, 9, 1) / 1000);
const HOUR = 3_600n;
const DAY = 86_400n;
const PATH = `/svc-market/${GOLDEN_MARKET}/reserves/${USDC_RESERVE}/metrics/history`;

type Body = { history: { timestamp: string; metrics: Record<string, unknown> }[] };

const historyIn = ({ body }: { body: unknown }) => (body as Body).history;
const isoOf = (unix: bigint): string => new Date(Number(unix) * 1000).toISOString();

const usdc = (seconds: bigint, available: bigint) =>
  goldenReservePoint({
    reserve: USDC_RESERVE,
    at: OCTOBER + seconds,
    slot: 370_000_000n + (seconds * 10n) / 4n,
    available,
  });

test.each(['minute', 'hour', 'day'])(
  'a reserve history per %s ends with the current state, in place of the running interval',
  async (frequency) => {
    const { get, writer } = await startHistoryApi();
    const { unix } = goldenCluster().at;
    const [before, start] = [10n * DAY, unix - OCTOBER - ((unix - OCTOBER) % 60n)];
    await writer.append({ points: [usdc(before, 1_000_000n), usdc(start, 2_000_000n)] });
    const reserves = (await get(`/svc-market/${GOLDEN_MARKET}/reserves/metrics`)).body;
    const now = (reserves as Record<string, string>[]).find(
      ({ reserve }) => reserve === USDC_RESERVE,
    );
    const query = `?frequency=${frequency}&start=2025-10-11`;
    const points = historyIn(await get(`${PATH}${query}`));
    expect(points.map(({ timestamp }) => timestamp)).toEqual([
      '2025-10-11T00:00:00.000Z',
      '2025-10-17T09:55:21.000Z',
    ]);
    const current = points.at(-1)?.metrics ?? {};
    expect(Number(current['totalSupply'])).toBeCloseTo(Number(now?.['totalSupply']), 6);
    expect(Number(current['depositTvl'])).toBeCloseTo(Number(now?.['totalSupplyUsd']), 6);
    expect(Number(current['borrowTvl'])).toBeCloseTo(Number(now?.['totalBorrowUsd']), 6);
    expect(current['supplyInterestAPY']).toBeCloseTo(Number(now?.['supplyApy']), 15);
    expect(current['borrowInterestAPY']).toBeCloseTo(Number(now?.['borrowApy']), 15);
    const closed = await get(`${PATH}${query}&end=2025-10-17T09:00`);
    expect(historyIn(closed)).toHaveLength(1);
  },
);

test('a vault history ends with the current metrics', async () => {
  const { address: vault } = goldenVault('Steady USDC');
  const points = [NOW - 2n * DAY, MIDNIGHT, MIDNIGHT + 12n * HOUR].map((at) =>
    vaultHourPoint(vault, at, { tokens: 1_000n }),
  );
  const { get } = await startVaultHistoryApi({ batch: { points } });
  const now = (await get(`/kvaults/vaults/${vault}/metrics`)).body as Record<string, string>;
  const path = `/kvaults/vaults/${vault}/metrics/history`;
  for (const [query, times] of [
    ['', [MIDNIGHT - DAY, NOW]],
    [`?start=${isoOf(MIDNIGHT)}`, [MIDNIGHT, NOW]],
  ] as const) {
    const rows = (await get(`${path}${query}`)).body as Record<string, string>[];
    expect(rows.map(({ timestamp }) => timestamp)).toEqual(times.map(isoOf));
    const last = rows.at(-1) ?? {};
    const near = (name: string, expected: number) =>
      expect(Number(last[name]) / expected).toBeCloseTo(1, 12);
    near('sharePrice', Number(now['sharePrice']));
    near('tvl', Number(now['sharePrice']) * Number(now['sharesIssued']));
    near('apy', Number(now['apy']));
    near('apyActual', Number(now['apyActual']));
    near('interestUsd', Number(now['cumulativeInterestEarnedUsd']));
    near('interestSol', Number(now['cumulativeInterestEarnedSol']));
  }
});

test('interest in the history of a vault goes up to the point, in its metrics up to the last use', async () => {
  const { address: vault } = goldenVault('Steady USDC');
  const points = [vaultHourPoint(vault, MIDNIGHT, { tokens: 1_000n })];
  const { get } = await startVaultHistoryApi({ batch: { points } });
  const metrics = (await get(`/kvaults/vaults/${vault}/metrics`)).body as Record<string, string>;
  const rows = (await get(`/kvaults/vaults/${vault}/metrics/history`)).body as {
    interest: string;
  }[];
  const fields = goldenReader().vault(vault)?.fields;
  const tokens = (sf: bigint | undefined) => Number(sf) / 2 ** 60 / 1e6;
  const counter = tokens(fields?.cumulativeEarnedInterestSf);
  const assets = Number(metrics['tokensAvailable']) + Number(metrics['tokensInvested']);
  // the program adds the growth of the assets since the last use
  const growth = assets - tokens(fields?.pendingFeesSf) - tokens(fields?.prevAumSf);
  expect(growth).toBeGreaterThan(0);
  expect(Number(metrics['cumulativeInterestEarned'])).toBeCloseTo(counter, 9);
  expect(Number(rows.at(-1)?.interest)).toBeCloseTo(counter + growth, 6);
  const { cumulativeInterestEarned } = VaultMetrics.properties;
  const { interest } = VaultMetricsPoint.properties;
  expect(JSON.stringify(cumulativeInterestEarned)).toMatch(/up to the last use of the vault/);
  expect(JSON.stringify(interest)).toMatch(/up to the time of the point/);
});
