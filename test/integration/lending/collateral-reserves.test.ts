import { expect, test } from 'vitest';
import { createClusters } from '#server/clusters/served-clusters.ts';
import { goldenMarket, goldenReserve } from '../../support/golden/golden-addresses.ts';
import { staticCluster } from '../../support/golden/golden-clusters.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { goldenApi, startApi } from '../../support/http/test-api.ts';

const MARKET = goldenMarket('Main Market').address;
const USDC = goldenReserve('Main Market', 'USDC').address;
const SOL = goldenReserve('Main Market', 'SOL').address;

type Term = { reserve: string; elevationGroup: number; maxLtv: string; borrowFactor: string };
type Row = Readonly<Record<string, string | null>> & {
  readonly borrowReserves: readonly string[];
  readonly borrowReserveTerms: readonly Term[];
};

async function rowsOf(query = '') {
  const { get } = await goldenApi();
  const { status, body } = await get(`/markets/collateral-reserves${query}`);
  expect(status).toBe(200);
  return (body as { collateralReserves: readonly Row[] }).collateralReserves;
}

const find = (rows: readonly Row[], reserve: string): Row | undefined =>
  rows.find(({ collateralReserve }) => collateralReserve === reserve);

test('a collateral has the debts that it can back, with the terms of the accounts', async () => {
  const rows = await rowsOf(`?market=${MARKET}`);
  const reader = goldenReader();
  const sol = reader.reserve(SOL)?.fields.config;
  const row = find(rows, SOL);
  expect(row).toMatchObject({
    name: 'SOL',
    lendingMarket: MARKET,
    lendingMarketName: 'Main Market',
    collateralMint: 'So11111111111111111111111111111111111111112',
    debtCategory: null,
    slugs: null,
  });
  const term = row?.borrowReserveTerms.find(({ reserve }) => reserve === USDC);
  expect(term).toEqual({
    reserve: USDC,
    elevationGroup: 0,
    maxLtv: String((sol?.loanToValuePct ?? 0) / 100),
    liquidationLtv: String((sol?.liquidationThresholdPct ?? 0) / 100),
    borrowFactor: '1',
  });
  expect(row?.borrowReserves).not.toContain(SOL);
});

test('a collateral in an elevation group has the terms of the group too', async () => {
  const rows = await rowsOf(`?market=${MARKET}`);
  const groups = [...(goldenReader().market(MARKET)?.fields.elevationGroups ?? [])];
  const group = groups.find(({ debtReserve, id }) => id !== 0 && debtReserve === USDC);
  const inGroup = rows.filter(({ borrowReserveTerms }) =>
    borrowReserveTerms.some(({ elevationGroup }) => elevationGroup === group?.id),
  );
  expect(inGroup.length).toBeGreaterThan(0);
  for (const { collateralReserve, borrowReserveTerms } of inGroup) {
    expect(collateralReserve).not.toBe(USDC);
    const term = borrowReserveTerms.find(({ elevationGroup }) => elevationGroup === group?.id);
    expect(term).toMatchObject({
      reserve: USDC,
      maxLtv: String((group?.ltvPct ?? 0) / 100),
      liquidationLtv: String((group?.liquidationThresholdPct ?? 0) / 100),
      borrowFactor: '1',
    });
  }
});

test('the debts of all loans are divided among their collaterals', async () => {
  const rows = await rowsOf(`?market=${MARKET}`);
  const { get } = await goldenApi();
  const metrics = (await get(`/svc-market/${MARKET}/reserves/metrics`)).body as readonly {
    totalBorrowUsd: string;
  }[];
  const borrowed = metrics.reduce((sum, { totalBorrowUsd }) => sum + Number(totalBorrowUsd), 0);
  const divided = rows.reduce((sum, row) => sum + Number(row['debtAgainstCollateralUsd']), 0);
  // the reserves count each debt rounded up
  expect(divided / borrowed).toBeCloseTo(1, 4);
  for (const row of rows) {
    const [size, backing] = [Number(row['sizeUsd']), Number(row['collateralBackingDebtUsd'])];
    expect(backing).toBeLessThanOrEqual(size * (1 + 1e-9));
    expect(backing).toBeGreaterThanOrEqual(Number(row['debtAgainstCollateralUsd']));
  }
});

test('without a market the rows are those of all markets, and an unknown market has none', async () => {
  const rows = await rowsOf();
  expect(new Set(rows.map(({ lendingMarketName }) => lendingMarketName)).size).toBe(2);
  expect(rows.filter(({ lendingMarket }) => lendingMarket === MARKET)).toEqual(
    await rowsOf(`?market=${MARKET}`),
  );
  expect(await rowsOf(`?market=${USDC}`)).toEqual([]);
});

test('sums over loans are null where not all loans are followed', async () => {
  const cluster = staticCluster({ hasAllPositions: () => false });
  const { get } = await startApi({ clusters: createClusters([cluster]) });
  const { body } = await get(`/markets/collateral-reserves?market=${MARKET}`);
  const [row] = (body as { collateralReserves: readonly Row[] }).collateralReserves;
  expect(row).toMatchObject({ collateralBackingDebtUsd: null, debtAgainstCollateralUsd: null });
  expect(Number(row?.['sizeUsd'])).toBeGreaterThan(0);
});
