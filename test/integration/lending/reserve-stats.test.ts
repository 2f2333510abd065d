import { expect, test } from 'vitest';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { toUnixSeconds } from '#core/base/time.ts';
import { lendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import { type Reserve, reserve } from '#core/protocol/klend/layout/reserve.ts';
import { emptyRegistry } from '#server/registry/registry.ts';
import { goldenCluster } from '../../support/golden/golden.ts';
import { goldenMarket, goldenReserve } from '../../support/golden/golden-addresses.ts';
import { goldenClusters } from '../../support/golden/golden-clusters.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { goldenWithAccounts } from '../../support/golden/golden-variants.ts';
import { goldenApi, startApi } from '../../support/http/test-api.ts';

const MARKET = goldenMarket('Main Market').address;
const OTHER_MARKET = goldenMarket('JLP Market').address;
const USDC_RESERVE = goldenReserve('Main Market', 'USDC').address;
const PATH = `/reserves/${USDC_RESERVE}/stats`;

type Json = Readonly<Record<string, unknown>>;

/** The fields of an answer of the hosted API of 2 October 2026; items of lists as their first item. */
const HOSTED_FIELDS: Json = {
  ...fields(
    'token collateralMintAddress rateType fixedTerm debtMaturityTimestamp status interestRateBasis',
    'hostFixedInterestRateBps protocolTakeRatePct underlyingApy pairIncentives pointsPrograms',
    'liquidityAvailable liquidityAvailableUsd actualAvailableLiquidity actualAvailableLiquidityUsd',
    'utilizationLimitBlockBorrowingAbovePct totalSupply totalSupplyUsd totalBorrow totalBorrowUsd',
    'liqLTV maxLTV borrowFactor depositLimit borrowLimit minLiquidationBonus',
    'liquidationMaxDebtCloseFactorPct proofOfReserves',
  ),
  supplyApy: fields('current avg7d avg14d avg30d avg60d avg90d avg180d'),
  borrowApy: fields('current avg7d avg14d avg30d avg60d avg90d avg180d'),
  supplyApyBreakdown: fields('lending incentives seasonRewards underlying total'),
  borrowApyBreakdown: fields('borrow incentives seasonRewards total'),
  utilization: fields('current avg30d avg90d avg180d avg365d'),
  autoDeleverage: {
    reserve: fields(
      'enabled marginCallPeriodSecs thresholdDecreaseBpsPerDay bonusIncreaseBpsPerDay minBonusBps',
    ),
    market: fields('enabled individualMarginCallPeriodSecs'),
  },
  supplyRewardApys: [fields('rewardToken farm apy tokensPerSecond')],
  borrowRewardApys: [fields('rewardToken farm apy tokensPerSecond')],
  borrowCaps: {
    utilization: fields('limitPct currentPct'),
    netWithdrawal: cap(),
    globalDebt: fields('capacity currentTotal'),
    debtOutsideElevationGroup: fields('capacity currentTotal'),
    debtAgainstCollateral: [fields('collateralReserve elevationGroup capacity currentTotal')],
  },
  limits: { depositWithdrawalCap: cap(), debtWithdrawalCap: cap() },
};

function fields(...names: string[]): Json {
  return Object.fromEntries(names.flatMap((list) => list.split(' ')).map((name) => [name, true]));
}

function cap(): Json {
  return fields('capacity currentTotal intervalLengthSeconds lastIntervalStartTimestamp');
}

/** The names of all fields, without values. */
function shapeOf(expected: unknown, actual: unknown): unknown {
  if (Array.isArray(expected)) return [shapeOf(expected[0], (actual as unknown[])[0])];
  if (typeof expected !== 'object' || expected === null) return true;
  const names = Object.keys(actual as Json);
  return Object.fromEntries(
    names.map((name) => [name, shapeOf((expected as Json)[name], (actual as Json)[name])]),
  );
}

const goldenAccount = (address: typeof MARKET) => {
  const account = goldenCluster().accounts.get(address);
  if (account === undefined) throw new Error(`no account ${address}`);
  return account;
};

/** The stats of the USDC reserve after a change of its account, and of the market's. */
async function statsWith(
  change: (fields: Reserve) => Partial<Reserve>,
  market: { readonly borrowDisabled?: number } = {},
) {
  const [marketAccount, usdc] = [goldenAccount(MARKET), goldenAccount(USDC_RESERVE)];
  const before = reserve.decode(usdc);
  const changed = goldenWithAccounts([
    [
      MARKET,
      {
        ...marketAccount,
        data: lendingMarket.encode({ ...lendingMarket.decode(marketAccount), ...market }),
      },
    ],
    [USDC_RESERVE, { ...usdc, data: reserve.encode({ ...before, ...change(before) }) }],
  ]);
  const api = await startApi({ clusters: goldenClusters({ reader: goldenReader(changed) }) });
  const { status, body } = await api.get(PATH);
  expect(status).toBe(200);
  return body as Json & { readonly actualAvailableLiquidity: string };
}

test('the answer has exactly the fields of the hosted API', async () => {
  const { get } = await goldenApi();
  const { status, body } = await get(PATH);
  expect(status).toBe(200);
  expect(shapeOf(HOSTED_FIELDS, body)).toEqual(HOSTED_FIELDS);
});

test('figures equal those of the metrics of the reserve', async () => {
  const { get } = await goldenApi();
  const { body: list } = await get(`/svc-market/${MARKET}/reserves/metrics`);
  const metrics = (list as Json[]).find(({ reserve }) => reserve === USDC_RESERVE);
  const { body } = await get(PATH);
  expect(body).toMatchObject({
    token: metrics?.['liquidityTokenMint'],
    totalSupply: metrics?.['totalSupply'],
    totalSupplyUsd: metrics?.['totalSupplyUsd'],
    totalBorrow: metrics?.['totalBorrow'],
    totalBorrowUsd: metrics?.['totalBorrowUsd'],
    maxLTV: metrics?.['maxLtv'],
    supplyApy: { current: metrics?.['supplyApy'], avg7d: null, avg180d: null },
    borrowApy: { current: metrics?.['borrowApy'], avg7d: null, avg180d: null },
    borrowCaps: {
      globalDebt: { currentTotal: metrics?.['totalBorrow'] },
      // its account has the largest number of 64 bits
      debtOutsideElevationGroup: { capacity: null },
    },
    proofOfReserves: null,
    pointsPrograms: [],
  });
});

test('totals of rates are the sums of their parts', async () => {
  const { get } = await goldenApi();
  const { body } = await get(PATH);
  const { supplyApyBreakdown: supply, borrowApyBreakdown: borrow } = body as Record<
    string,
    Record<string, string>
  >;
  const number = (parts: Record<string, string> | undefined, name: string) => Number(parts?.[name]);
  expect(number(borrow, 'incentives')).toBeGreaterThan(0);
  expect(number(borrow, 'total')).toBeCloseTo(
    number(borrow, 'borrow') - number(borrow, 'incentives') - number(borrow, 'seasonRewards'),
    15,
  );
  expect(number(supply, 'total')).toBeCloseTo(
    number(supply, 'lending') + number(supply, 'incentives') + number(supply, 'seasonRewards'),
    15,
  );
});

test('the yield of a staked token that is not recorded is unknown, and so is the sum', async () => {
  const mint = goldenReader().reserve(USDC_RESERVE)?.fields.liquidity.mintPubkey ?? MARKET;
  // any token is staked if the registry names a pool of it
  const registry = { ...emptyRegistry, stakePools: new Map([[mint, OTHER_MARKET]]) };
  const api = await startApi({ clusters: goldenClusters({ registry }) });
  expect((await api.get(PATH)).body).toMatchObject({
    underlyingApy: null,
    supplyApyBreakdown: { underlying: null, total: null },
  });
  const { get } = await goldenApi();
  expect((await get(PATH)).body).toMatchObject({
    underlyingApy: null,
    supplyApyBreakdown: { underlying: '0' },
  });
});

test('a reserve is found in its market only', async () => {
  const { get } = await goldenApi();
  const { body } = await get(PATH);
  const inMarket = await get(`/markets/${MARKET}/reserves/${USDC_RESERVE}/stats`);
  expect([inMarket.status, inMarket.body]).toEqual([200, body]);
  expect((await get(`/markets/${OTHER_MARKET}/reserves/${USDC_RESERVE}/stats`)).status).toBe(404);
  expect((await get(`/reserves/${MARKET}/stats`)).status).toBe(404);
  expect((await get('/reserves/x/stats')).status).toBe(400);
});

test('a batch has the stats of a market, or of the listed reserves', async () => {
  const { get } = await goldenApi();
  const { body } = await get(PATH);
  const market = (await get(`/reserves/batch/stats?market=${MARKET}`)).body as Json;
  expect(Object.keys(market)).toHaveLength(6);
  expect(market[USDC_RESERVE]).toEqual(body);
  const list = await get(`/reserves/batch/stats?reserve=${USDC_RESERVE}&reserve=${MARKET}`);
  expect(list.body).toEqual({ [USDC_RESERVE]: body });
  expect(list.headers.get('x-omitted')).toBe(
    `${MARKET};reason="There is no reserve at this address."`,
  );
  const single = await get(`/reserves/batch/stats?reserve=${USDC_RESERVE}`);
  expect(single.body).toEqual({ [USDC_RESERVE]: body });
});

test('a batch needs a market or 1 to 100 reserves', async () => {
  const { get } = await goldenApi();
  const reserves = (count: number) =>
    Array.from({ length: count }, () => `reserve=${USDC_RESERVE}`).join('&');
  const statusOf = async (query: string) => (await get(`/reserves/batch/stats?${query}`)).status;
  expect(await statusOf('')).toBe(400);
  expect(await statusOf(`market=${MARKET}&reserve=${USDC_RESERVE}`)).toBe(400);
  expect(await statusOf(reserves(100))).toBe(200);
  expect(await statusOf(reserves(101))).toBe(400);
  expect(await statusOf('reserve=x')).toBe(400);
});

/** All tokens that are not lent: without limits, all of them can be borrowed. */
const AVAILABLE = 17_779_773_680_000n;

test('the utilization limit leaves less than the liquidity', async () => {
  const { get } = await goldenApi();
  expect((await get(PATH)).body).toMatchObject({ actualAvailableLiquidity: '17779773.68' });
  const stats = await statsWith(({ config }) => ({
    config: { ...config, utilizationLimitBlockBorrowingAbovePct: 90 },
  }));
  // 0.9 of the supply minus the debt, as in the recorded answer
  const left = 0.9 * Number(stats['totalSupply']) - Number(stats['totalBorrow']);
  expect(Number(stats.actualAvailableLiquidity)).toBeCloseTo(left, 5);
  expect(left).toBeLessThan(17_779_773);
});

test.each<[string, (before: Reserve) => Partial<Reserve['config']>, string]>([
  [
    'the borrow limit',
    ({ liquidity }) => ({
      // a lamport above the debt that is not accrued yet is below the accrued one
      borrowLimit: toLamports((liquidity.borrowedAmountSf >> 60n) + 1n),
    }),
    '0',
  ],
  ['a borrow limit of 0', () => ({ borrowLimit: toLamports(0n) }), '0'],
  [
    'the withdrawal cap',
    ({ config }) => ({
      debtWithdrawalCap: {
        ...config.debtWithdrawalCap,
        configCapacity: 5_000_000n,
        currentTotal: 2_000_000n,
        lastIntervalStartTimestamp: toUnixSeconds(goldenReader().at().unix - 10n),
        configIntervalLengthSeconds: 86_400n,
      },
    }),
    '3',
  ],
  ['an obsolete reserve', () => ({ status: 1 }), '0'],
  ['a reserve whose debts are due', () => ({ debtMaturityTimestamp: toUnixSeconds(1n) }), '0'],
  ['a reserve in emergency mode', () => ({ emergencyMode: 1 }), '0'],
])('what can be borrowed respects %s', async (_, change, expected) => {
  const stats = await statsWith((before) => ({
    config: { ...before.config, ...change(before) },
  }));
  expect(stats.actualAvailableLiquidity).toBe(expected);
});

test('nothing can be borrowed in a market that does not allow it', async () => {
  const stats = await statsWith(() => ({}), { borrowDisabled: 1 });
  expect(stats).toMatchObject({
    actualAvailableLiquidity: '0',
    actualAvailableLiquidityUsd: '0',
    liquidityAvailable: String(Number(AVAILABLE) / 1e6),
  });
});

test('a reserve with a term has a fixed rate', async () => {
  const stats = await statsWith(({ config }) => ({
    config: {
      ...config,
      debtTermSeconds: 2_592_000n,
      debtMaturityTimestamp: toUnixSeconds(4_102_444_800n),
    },
  }));
  expect(stats).toMatchObject({
    rateType: 'fixed',
    fixedTerm: { termSeconds: 2_592_000, apy: (stats['borrowApy'] as Json)['current'] },
    debtMaturityTimestamp: '2100-01-01T00:00:00.000Z',
  });
});

test('caps are in whole tokens, with the time of their interval', async () => {
  const stats = await statsWith(({ config }) => ({
    config: {
      ...config,
      depositWithdrawalCap: {
        configCapacity: 10_000_000_000_000n,
        currentTotal: -3_029_954_014_712n,
        lastIntervalStartTimestamp: toUnixSeconds(1_790_919_311n),
        configIntervalLengthSeconds: 86_400n,
      },
      borrowLimitOutsideElevationGroup: toLamports(1_500_000n),
    },
  }));
  expect(stats).toMatchObject({
    limits: {
      depositWithdrawalCap: {
        capacity: '10000000',
        currentTotal: '-3029954.014712',
        intervalLengthSeconds: 86_400,
        lastIntervalStartTimestamp: '2026-10-02T05:35:11.000Z',
      },
    },
    borrowCaps: { debtOutsideElevationGroup: { capacity: '1.5', currentTotal: '23051209.327924' } },
  });
});
