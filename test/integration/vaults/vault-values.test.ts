import { expect, test } from 'vitest';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { toLamports, U64_MAX } from '#core/base/numbers/lamports.ts';
import { sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import { toUnixSeconds } from '#core/base/time.ts';
import { farmState } from '#core/protocol/farms/layout/farm-state.ts';
import { type VaultState, vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import { farmWith, rewardWith } from '../../support/farms/farm-accounts.ts';
import { goldenReserve, goldenVault } from '../../support/golden/golden-addresses.ts';
import { goldenClusters } from '../../support/golden/golden-clusters.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { goldenWithAccounts } from '../../support/golden/golden-variants.ts';
import { goldenApi, startApi } from '../../support/http/test-api.ts';
import { expectRate, expectValue } from '../../support/reference/expect-value.ts';
import { goldenReference } from '../../support/reference/golden-reference.ts';
import {
  type Decimal50,
  divide,
  multiply,
  sum,
  toDecimal50,
} from '../../support/reference/reference-lending.ts';

const STEADY = goldenVault('Steady USDC').address;
const SOL_EARN = goldenVault('SOL Earn').address;
const USDC_RESERVE = goldenReserve('Main Market', 'USDC').address;
const SOL_RESERVE = goldenReserve('Main Market', 'SOL').address;
const USDC = toAddress('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');

const YEAR = 31_536_000n;
const SF = 2n ** 60n;

const reference = goldenReference();

type Metrics = Record<string, string>;

const reserveOf = (address: Address) => {
  const reserve = reference.reserves.get(address);
  if (reserve === undefined) throw new Error(`no reserve ${address}`);
  return reserve;
};

/** Reference implementation with 50 decimals, in whole tokens and USD. */
function referenceVault(vault: VaultState) {
  const used = vault.vaultAllocationStrategy.filter(({ reserve }) => !/^1+$/.test(reserve));
  const unit = 10n ** vault.tokenMintDecimals;
  const parts = used.map(({ reserve, ctokenAllocation, targetAllocationWeight }) => {
    const { perCToken, supplyApy, supply, debt } = reserveOf(reserve);
    // APR that compounds continuously to this APY
    const apr = Math.log1p(Number(supplyApy) / 1e50);
    const tokens = (ctokenAllocation * perCToken) / unit;
    return { reserve, tokens, apr, weight: targetAllocationWeight, used: divide(debt, supply) };
  });
  const available = toDecimal50(vault.tokenAvailable, unit);
  const invested = sum(parts.map(({ tokens }) => tokens));
  const net = available + invested - toDecimal50(vault.pendingFeesSf, SF * unit);
  const perShare = divide(net, toDecimal50(vault.sharesIssued, 10n ** vault.sharesMintDecimals));
  const netOf = (gross: number) =>
    gross * (1 - Number(vault.performanceFeeBps) / 1e4) - Number(vault.managementFeeBps) / 1e4;
  const held = available + invested;
  const actual = parts.reduce((mean, part) => mean + part.apr * ratioOf(part.tokens, held), 0);
  const weights = Number(sum(parts.map(({ weight }) => weight)));
  const target = parts.reduce((mean, part) => mean + part.apr * (Number(part.weight) / weights), 0);
  return {
    available,
    invested,
    held,
    perShare,
    parts,
    actual: netOf(actual),
    target: netOf(target),
  };
}

const ratioOf = (a: Decimal50, b: Decimal50): number => Number(divide(a, b)) / 1e50;

const storedVault = (address: Address): VaultState => {
  const account = reference.accounts.get(address);
  if (account === undefined) throw new Error(`no vault ${address}`);
  return vaultState.decode(account);
};

test.each([
  [STEADY, USDC_RESERVE],
  [SOL_EARN, SOL_RESERVE],
])('getVaultMetrics of %s equals the reference', async (address, priceReserve) => {
  const { get } = await goldenApi();
  const metrics = (await get(`/kvaults/vaults/${address}/metrics`)).body as Metrics;
  const stored = storedVault(address);
  const vault = referenceVault(stored);
  const price = reserveOf(priceReserve).price;
  const sol = reserveOf(SOL_RESERVE).price;
  expectValue(metrics['tokenPrice'], price, 'token price');
  expectValue(metrics['solPrice'], sol, 'SOL price');
  expectValue(metrics['tokensAvailable'], vault.available, 'available');
  expectValue(metrics['tokensAvailableUsd'], multiply(vault.available, price), 'available USD');
  expectValue(metrics['tokensInvested'], vault.invested, 'invested');
  expectValue(metrics['tokensInvestedUsd'], multiply(vault.invested, price), 'invested USD');
  expectValue(metrics['tokensPerShare'], vault.perShare, 'tokens per share');
  expectValue(metrics['sharePrice'], multiply(vault.perShare, price), 'share price');
  const issued = toDecimal50(stored.sharesIssued, 10n ** stored.sharesMintDecimals);
  expectValue(metrics['sharesIssued'], issued, 'shares');
  expectRate(metrics['apyActual'], Math.expm1(vault.actual), 'actual');
  expectRate(metrics['apyTheoretical'], Math.expm1(vault.target), 'theoretical');
  expect(metrics['apy']).toBe(metrics['apyTheoretical']);
  const perSecond = (ratioOf(vault.held, toDecimal50(1n)) * vault.actual) / Number(YEAR);
  expect(Number(metrics['interestEarnedPerSecond'])).toBeCloseTo(perSecond, 9);
  expect(
    Number(metrics['interestEarnedPerSecondUsd']) / Number(metrics['interestEarnedPerSecondSol']),
  ).toBeCloseTo(Number(sol) / 1e50, 6);
  const age = Number(reference.at.unix - stored.creationTimestamp);
  const growth = ratioOf(vault.perShare, toDecimal50(1n));
  const yearly = Math.expm1((Math.log(growth) * Number(YEAR)) / age);
  for (const window of ['24h', '7d', '30d', '90d', '180d', '365d']) {
    expectRate(metrics[`apy${window}`], yearly, window);
  }
});

test('getVaultMetrics annualises the growth of a vault younger than a day over one day', async () => {
  const stored = storedVault(STEADY);
  const at = { slot: reference.at.slot, unix: toUnixSeconds(stored.creationTimestamp + 3600n) };
  const { get } = await startApi({ clusters: goldenClusters({ reader: goldenReader({ at }) }) });
  const metrics = (await get(`/kvaults/vaults/${STEADY}/metrics`)).body as Metrics;
  const growth = ratioOf(referenceVault(stored).perShare, toDecimal50(1n));
  expectRate(metrics['apy24h'], growth ** 365 - 1, '24h');
});

test('getVaultMetrics shows the cumulative values of the account in tokens, USD and SOL', async () => {
  const stored = storedVault(STEADY);
  const data = vaultState.encode({
    ...stored,
    cumulativeEarnedInterestSf: sfFromInt(1_234_500_000n),
    cumulativePerfFeesSf: sfFromInt(123_450_000n),
    cumulativeMgmtFeesSf: sfFromInt(10_000n),
    pendingFeesSf: sfFromInt(5_000_000n),
  });
  const owner = reference.accounts.get(STEADY)?.owner;
  const cluster = goldenWithAccounts([[STEADY, owner && { owner, data }]]);
  const { get } = await startApi({ clusters: goldenClusters({ reader: goldenReader(cluster) }) });
  const metrics = (await get(`/kvaults/vaults/${STEADY}/metrics`)).body as Metrics;
  expect(metrics['cumulativeInterestEarned']).toBe('1234.5');
  expect(metrics['cumulativeInterestEarnedUsd']).toBe('1234.339515'); // × 0.99987
  expect(Number(metrics['cumulativeInterestEarnedSol'])).toBeCloseTo(1234.339515 / 175.2389155, 12);
  expect(metrics['cumulativePerformanceFees']).toBe('123.45');
  expect(metrics['cumulativePerformanceFeesUsd']).toBe('123.4339515');
  expect(metrics['cumulativeManagementFees']).toBe('0.01');
  const { perShare } = referenceVault(storedVault(STEADY));
  expectValue(
    metrics['tokensPerShare'],
    perShare - toDecimal50(5n, 720_000n),
    'tokens per share without fees',
  );
});

/** The vault farm pays 0.5 USDC per second for 300000 shares, the farm of the USDC reserve 0.2. */
function rewardedCluster() {
  const { vaultFarm, sharesMint } = storedVault(STEADY);
  const collateralFarm = reference.stored.get(USDC_RESERVE)?.farmCollateral ?? vaultFarm;
  const farms = reference.accounts.get(vaultFarm)?.owner;
  const reserveFarm = reference.accounts.get(collateralFarm);
  if (farms === undefined || reserveFarm === undefined) throw new Error('no farm');
  const usdc = { mint: USDC, decimals: 6n, tokenProgram: USDC, padding: new Uint8Array(48) };
  const own = farmWith({ totalStakedAmount: toLamports(300_000_000_000n) }, [
    rewardWith({ token: usdc, rewardScheduleCurve: scheduleOf(500_000n) }),
  ]);
  const staked = { ...own.token, mint: sharesMint, decimals: 6n };
  const theirs = farmState.decode(reserveFarm);
  const [reward, ...others] = theirs.rewardInfos;
  if (reward === undefined) throw new Error('no reward');
  const paying = { ...reward, token: usdc, rewardScheduleCurve: scheduleOf(200_000n) };
  return {
    stakedCTokens: theirs.totalActiveStakeScaled,
    cluster: goldenWithAccounts([
      [vaultFarm, { owner: farms, data: farmState.encode({ ...own, token: staked }) }],
      [
        collateralFarm,
        { owner: farms, data: farmState.encode({ ...theirs, rewardInfos: [paying, ...others] }) },
      ],
    ]),
  };
}

const scheduleOf = (rate: bigint) => ({
  points: [
    { tsStart: 0n, rewardPerTimeUnit: rate },
    ...Array.from({ length: 19 }, () => ({ tsStart: 2n ** 64n - 1n, rewardPerTimeUnit: 0n })),
  ],
});

test('getVaultMetrics has separate reward rates of the vault farm and of the reserve farms, relative to the staked value', async () => {
  const { cluster, stakedCTokens } = rewardedCluster();
  const { get } = await startApi({ clusters: goldenClusters({ reader: goldenReader(cluster) }) });
  const metrics = (await get(`/kvaults/vaults/${STEADY}/metrics`)).body as Metrics;
  const vault = referenceVault(storedVault(STEADY));
  const { price, perCToken } = reserveOf(USDC_RESERVE);
  const yearly = multiply(toDecimal50(YEAR, 2n), price);
  const stakedUsd = 300_000n * multiply(vault.perShare, price);
  expectValue(metrics['apyFarmRewards'], divide(yearly, stakedUsd), 'farm rewards');
  const reserveYearly = multiply(toDecimal50(YEAR, 5n), price);
  const reserveApr = divide(
    reserveYearly,
    multiply((stakedCTokens * perCToken) / 10n ** 6n, price),
  );
  const part = divide(vault.parts[0]?.tokens ?? 0n, vault.held);
  expectValue(metrics['apyReservesIncentives'], multiply(reserveApr, part), 'reserve rewards');
  expect(metrics['apyIncentives']).toBe('0');
  const rows = (await get(`/kvaults/vaults/${STEADY}/allocations`)).body as Allocations;
  expectValue(rows.allocations[0]?.rewardsApy, reserveApr, 'rewards of the reserve');
  expect(rows.allocations[1]?.rewardsApy).toBe('0');
});

test('getVaultMetrics ignores a vault farm that stakes another token', async () => {
  const { cluster } = rewardedCluster();
  const { vaultFarm } = storedVault(STEADY);
  const farm = cluster.accounts.get(vaultFarm);
  if (farm === undefined) throw new Error('no farm');
  const decoded = farmState.decode(farm);
  const otherToken = { ...decoded, token: { ...decoded.token, mint: USDC } };
  const accounts = new Map([
    ...cluster.accounts,
    [vaultFarm, { owner: farm.owner, data: farmState.encode(otherToken) }] as const,
  ]);
  const reader = goldenReader({ accounts });
  const { get } = await startApi({ clusters: goldenClusters({ reader }) });
  const metrics = (await get(`/kvaults/vaults/${STEADY}/metrics`)).body as Metrics;
  expect(metrics['apyFarmRewards']).toBe('0');
});

type Row = Record<
  | 'reserve'
  | 'actualPct'
  | 'targetWeightPct'
  | 'suppliedTokenAmount'
  | 'suppliedUsd'
  | 'utilizationRatio'
  | 'rewardsApy'
  | 'supplyApy',
  string
> & { capTokenAmount: string | null };

type Allocations = {
  asOf: string;
  capitalDeployedUsd: string;
  utilizationRatio: string;
  allocations: Row[];
  unallocated: { tokenAmount: string; usd: string; pct: string };
};

test.each([
  [STEADY, USDC_RESERVE],
  [SOL_EARN, SOL_RESERVE],
])('getVaultAllocations of %s equals the reference', async (address, priceReserve) => {
  const { get } = await goldenApi();
  const body = (await get(`/kvaults/vaults/${address}/allocations`)).body as Allocations;
  const stored = storedVault(address);
  const vault = referenceVault(stored);
  const price = reserveOf(priceReserve).price;
  expect(body.allocations.map(({ reserve }) => reserve)).toEqual(
    vault.parts.map(({ reserve }) => reserve),
  );
  const weights = sum(vault.parts.map(({ weight }) => weight));
  for (const [i, row] of body.allocations.entries()) {
    const part = vault.parts[i];
    if (part === undefined) throw new Error('no such row');
    expectValue(row.suppliedTokenAmount, part.tokens, 'tokens');
    expectValue(row.suppliedUsd, multiply(part.tokens, price), 'USD');
    expectValue(row.actualPct, 100n * divide(part.tokens, vault.held), 'actual');
    expectValue(row.targetWeightPct, toDecimal50(100n * part.weight, weights), 'target');
    expectValue(row.utilizationRatio, part.used, 'utilization');
    expectRate(row.supplyApy, Math.expm1(part.apr), 'supply');
  }
  const lent = sum(vault.parts.map(({ tokens, used }) => multiply(tokens, used)));
  expectValue(body.utilizationRatio, divide(lent, vault.held), 'total utilization');
  expectValue(body.capitalDeployedUsd, multiply(vault.invested, price), 'deployed');
  expectValue(body.unallocated.tokenAmount, vault.available, 'unallocated tokens');
  expectValue(body.unallocated.usd, multiply(vault.available, price), 'unallocated USD');
  expectValue(
    body.unallocated.pct,
    100n * divide(vault.available, vault.held),
    'unallocated percentage',
  );
  expect(body.asOf).toBe('2025-10-17T09:55:21.000Z');
});

test('getVaultAllocations has the cap in whole tokens, or null without a cap', async () => {
  const stored = storedVault(STEADY);
  const [first, ...others] = stored.vaultAllocationStrategy;
  const owner = reference.accounts.get(STEADY)?.owner;
  if (first === undefined || owner === undefined) throw new Error('no vault');
  const uncapped = { ...first, tokenAllocationCap: toLamports(U64_MAX) };
  const data = vaultState.encode({ ...stored, vaultAllocationStrategy: [uncapped, ...others] });
  const reader = goldenReader(goldenWithAccounts([[STEADY, { owner, data }]]));
  const { get } = await startApi({ clusters: goldenClusters({ reader }) });
  const { allocations } = (await get(`/kvaults/vaults/${STEADY}/allocations`)).body as Allocations;
  expect(allocations.map(({ capTokenAmount }) => capTokenAmount)).toEqual([null, '50000000']);
});
