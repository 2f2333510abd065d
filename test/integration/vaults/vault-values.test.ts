import { expect, test } from 'vitest';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { toLamports, U64_MAX } from '#core/base/numbers/lamports.ts';
import { sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import { toUnixSeconds } from '#core/base/time.ts';
import { farmState } from '#core/protocol/farms/layout/farm-state.ts';
import { type VaultState, vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import { farmWith, rewardWith } from '../../support/farms/farm-accounts.ts';
import { goldenClusters } from '../../support/golden/golden-clusters.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { goldenWithAccounts } from '../../support/golden/golden-variants.ts';
import { startApi } from '../../support/http/test-api.ts';
import { expectRate, expectValue } from '../../support/reference/expect-value.ts';
import { goldenReference } from '../../support/reference/golden-reference.ts';
import {
  type Decimal50,
  divide,
  multiply,
  sum,
  toDecimal50,
} from '../../support/reference/reference-lending.ts';

const STEADY = toAddress('F6CyyUtP2MHQqcBYwWiiUkS6NYkvLX64z9Kq2rK2Csri');
const SOL_EARN = toAddress('BQe1p8KPy5gZqxPZJwU4ee97WanZUTNovY5TsqxFB56P');
const USDC_RESERVE = toAddress('EFgyTYM3phbLR5fPdTHVroHLqLeJFveYqR7r8Bjbmws9');
const SOL_RESERVE = toAddress('4YBrhwpzdrgQgz8AFvD6JBD1Yq3QZZEx4hySgNdufAJm');
const USDC = toAddress('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');

const YEAR = 31_536_000n;
const SF = 2n ** 60n;

const book = goldenReference();

type Figures = Record<string, string>;

const reserveOf = (address: Address) => {
  const reserve = book.reserves.get(address);
  if (reserve === undefined) throw new Error(`no reserve ${address}`);
  return reserve;
};

/** A vault by the printed formulas, with 50 decimals: whole tokens and USD. */
function textbookVault(vault: VaultState) {
  const used = vault.vaultAllocationStrategy.filter(({ reserve }) => !/^1+$/.test(reserve));
  const unit = 10n ** vault.tokenMintDecimals;
  const parts = used.map(({ reserve, ctokenAllocation, targetAllocationWeight }) => {
    const { perCToken, supplyApy, supply, debt } = reserveOf(reserve);
    // the APR that compounds to this APY every slot, by the logarithm
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
  const account = book.accounts.get(address);
  if (account === undefined) throw new Error(`no vault ${address}`);
  return vaultState.decode(account);
};

test.each([
  [STEADY, USDC_RESERVE],
  [SOL_EARN, SOL_RESERVE],
])('getVaultMetrics: figures of %s are the textbook’s', async (address, priced) => {
  const { get } = await startApi();
  const figures = (await get(`/kvaults/vaults/${address}/metrics`)).body as Figures;
  const stored = storedVault(address);
  const vault = textbookVault(stored);
  const price = reserveOf(priced).price;
  const sol = reserveOf(SOL_RESERVE).price;
  expectValue(figures['tokenPrice'], price, 'token price');
  expectValue(figures['solPrice'], sol, 'SOL price');
  expectValue(figures['tokensAvailable'], vault.available, 'available');
  expectValue(figures['tokensAvailableUsd'], multiply(vault.available, price), 'available USD');
  expectValue(figures['tokensInvested'], vault.invested, 'invested');
  expectValue(figures['tokensInvestedUsd'], multiply(vault.invested, price), 'invested USD');
  expectValue(figures['tokensPerShare'], vault.perShare, 'tokens per share');
  expectValue(figures['sharePrice'], multiply(vault.perShare, price), 'share price');
  const issued = toDecimal50(stored.sharesIssued, 10n ** stored.sharesMintDecimals);
  expectValue(figures['sharesIssued'], issued, 'shares');
  expectRate(figures['apyActual'], Math.expm1(vault.actual), 'actual');
  expectRate(figures['apyTheoretical'], Math.expm1(vault.target), 'theoretical');
  expect(figures['apy']).toBe(figures['apyTheoretical']);
  const perSecond = (ratioOf(vault.held, toDecimal50(1n)) * vault.actual) / Number(YEAR);
  expect(Number(figures['interestEarnedPerSecond'])).toBeCloseTo(perSecond, 9);
  expect(
    Number(figures['interestEarnedPerSecondUsd']) / Number(figures['interestEarnedPerSecondSol']),
  ).toBeCloseTo(Number(sol) / 1e50, 6);
  const age = Number(book.at.unix - stored.creationTimestamp);
  const growth = ratioOf(vault.perShare, toDecimal50(1n));
  const yearly = Math.expm1((Math.log(growth) * Number(YEAR)) / age);
  for (const window of ['24h', '7d', '30d', '90d', '180d', '365d']) {
    expectRate(figures[`apy${window}`], yearly, window);
  }
});

test('getVaultMetrics: an hour after it was made, a vault’s growth counts as that of a day', async () => {
  const stored = storedVault(STEADY);
  const at = { slot: book.at.slot, unix: toUnixSeconds(stored.creationTimestamp + 3600n) };
  const { get } = await startApi({ clusters: goldenClusters({ reader: goldenReader({ at }) }) });
  const figures = (await get(`/kvaults/vaults/${STEADY}/metrics`)).body as Figures;
  const growth = ratioOf(textbookVault(stored).perShare, toDecimal50(1n));
  expectRate(figures['apy24h'], growth ** 365 - 1, 'a day');
});

test('getVaultMetrics: what the account has counted, in tokens, USD and SOL', async () => {
  const stored = storedVault(STEADY);
  const data = vaultState.encode({
    ...stored,
    cumulativeEarnedInterestSf: sfFromInt(1_234_500_000n),
    cumulativePerfFeesSf: sfFromInt(123_450_000n),
    cumulativeMgmtFeesSf: sfFromInt(10_000n),
    pendingFeesSf: sfFromInt(5_000_000n),
  });
  const owner = book.accounts.get(STEADY)?.owner;
  const scene = goldenWithAccounts([[STEADY, owner && { owner, data }]]);
  const { get } = await startApi({ clusters: goldenClusters({ reader: goldenReader(scene) }) });
  const figures = (await get(`/kvaults/vaults/${STEADY}/metrics`)).body as Figures;
  expect(figures['cumulativeInterestEarned']).toBe('1234.5');
  expect(figures['cumulativeInterestEarnedUsd']).toBe('1234.339515'); // × 0.99987
  expect(Number(figures['cumulativeInterestEarnedSol'])).toBeCloseTo(1234.339515 / 175.2389155, 12);
  expect(figures['cumulativePerformanceFees']).toBe('123.45');
  expect(figures['cumulativePerformanceFeesUsd']).toBe('123.4339515');
  expect(figures['cumulativeManagementFees']).toBe('0.01');
  const { perShare } = textbookVault(storedVault(STEADY));
  expectValue(
    figures['tokensPerShare'],
    perShare - toDecimal50(5n, 720_000n),
    'fees are taken off',
  );
});

/** The vault’s farm pays 0.5 USDC a second for 300000 shares, the USDC reserve's farm 0.2 for its stakes. */
function rewardedScene() {
  const { vaultFarm, sharesMint } = storedVault(STEADY);
  const collateralFarm = book.stored.get(USDC_RESERVE)?.farmCollateral ?? vaultFarm;
  const farms = book.accounts.get(vaultFarm)?.owner;
  const reserveFarm = book.accounts.get(collateralFarm);
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
    scene: goldenWithAccounts([
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

test('getVaultMetrics: rewards of the vault’s farm and of its reserves are apart, over what is staked', async () => {
  const { scene, stakedCTokens } = rewardedScene();
  const { get } = await startApi({ clusters: goldenClusters({ reader: goldenReader(scene) }) });
  const figures = (await get(`/kvaults/vaults/${STEADY}/metrics`)).body as Figures;
  const vault = textbookVault(storedVault(STEADY));
  const { price, perCToken } = reserveOf(USDC_RESERVE);
  const yearly = multiply(toDecimal50(YEAR, 2n), price);
  const stakedUsd = 300_000n * multiply(vault.perShare, price);
  expectValue(figures['apyFarmRewards'], divide(yearly, stakedUsd), 'farm rewards');
  const reserveYearly = multiply(toDecimal50(YEAR, 5n), price);
  const reserveApr = divide(
    reserveYearly,
    multiply((stakedCTokens * perCToken) / 10n ** 6n, price),
  );
  const part = divide(vault.parts[0]?.tokens ?? 0n, vault.held);
  expectValue(figures['apyReservesIncentives'], multiply(reserveApr, part), 'reserve rewards');
  expect(figures['apyIncentives']).toBe('0');
  const rows = (await get(`/kvaults/vaults/${STEADY}/allocations`)).body as Allocations;
  expectValue(rows.allocations[0]?.rewardsApy, reserveApr, 'rewards of the reserve');
  expect(rows.allocations[1]?.rewardsApy).toBe('0');
});

test('getVaultMetrics: a farm in which other tokens are staked is not the vault’s', async () => {
  const { scene } = rewardedScene();
  const { vaultFarm } = storedVault(STEADY);
  const farm = scene.accounts.get(vaultFarm);
  if (farm === undefined) throw new Error('no farm');
  const decoded = farmState.decode(farm);
  const other = { ...decoded, token: { ...decoded.token, mint: USDC } };
  const accounts = new Map([
    ...scene.accounts,
    [vaultFarm, { owner: farm.owner, data: farmState.encode(other) }] as const,
  ]);
  const reader = goldenReader({ accounts });
  const { get } = await startApi({ clusters: goldenClusters({ reader }) });
  const figures = (await get(`/kvaults/vaults/${STEADY}/metrics`)).body as Figures;
  expect(figures['apyFarmRewards']).toBe('0');
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
])('getVaultAllocations: the rows of %s are the textbook’s', async (address, priced) => {
  const { get } = await startApi();
  const answer = (await get(`/kvaults/vaults/${address}/allocations`)).body as Allocations;
  const stored = storedVault(address);
  const vault = textbookVault(stored);
  const price = reserveOf(priced).price;
  expect(answer.allocations.map(({ reserve }) => reserve)).toEqual(
    vault.parts.map(({ reserve }) => reserve),
  );
  const weights = sum(vault.parts.map(({ weight }) => weight));
  for (const [i, row] of answer.allocations.entries()) {
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
  expectValue(answer.utilizationRatio, divide(lent, vault.held), 'utilization of all');
  expectValue(answer.capitalDeployedUsd, multiply(vault.invested, price), 'deployed');
  expectValue(answer.unallocated.tokenAmount, vault.available, 'free tokens');
  expectValue(answer.unallocated.usd, multiply(vault.available, price), 'free USD');
  expectValue(answer.unallocated.pct, 100n * divide(vault.available, vault.held), 'free part');
  expect(answer.asOf).toBe('2025-10-17T09:55:21.000Z');
});

test('getVaultAllocations: a cap is in whole tokens, and no cap is null', async () => {
  const stored = storedVault(STEADY);
  const [first, ...others] = stored.vaultAllocationStrategy;
  const owner = book.accounts.get(STEADY)?.owner;
  if (first === undefined || owner === undefined) throw new Error('no vault');
  const free = { ...first, tokenAllocationCap: toLamports(U64_MAX) };
  const data = vaultState.encode({ ...stored, vaultAllocationStrategy: [free, ...others] });
  const reader = goldenReader(goldenWithAccounts([[STEADY, { owner, data }]]));
  const { get } = await startApi({ clusters: goldenClusters({ reader }) });
  const { allocations } = (await get(`/kvaults/vaults/${STEADY}/allocations`)).body as Allocations;
  expect(allocations.map(({ capTokenAmount }) => capTokenAmount)).toEqual([null, '50000000']);
});
