import { expect } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import {
  type Decimal50,
  divide,
  multiply,
  sum,
  toDecimal50,
} from '../reference/reference-lending.ts';
import { growthPower } from './decimal-power.ts';
import { expectNear } from './expect-near.ts';
import { apyFromApr } from './ledger-reserves.ts';
import { cumulativeTokens, type LedgerVault } from './ledger-vault.ts';
import type { Reconciliation } from './reconciliation.ts';
import type { UsdSolValue, VaultIndex } from './vault-index.ts';

const HOUR = 3_600n;
const DAY = 86_400n;
/** For longer ranges, vault history is daily. */
const HOURLY_DAYS = 7n;
const WINDOWS = {
  apy24h: 1n,
  apy7d: 7n,
  apy30d: 30n,
  apy90d: 90n,
  apy180d: 180n,
  apy365d: 365n,
} as const;

type ResponseObject = Readonly<Record<string, unknown>>;

const isoOf = (unix: bigint): string => new Date(Number(unix) * 1000).toISOString();

export async function reconcileVaultMetrics(proof: Reconciliation): Promise<void> {
  const { api, metadata, vaults, end } = proof;
  for (const { address, name } of metadata.vaults) {
    const actual = (await api.get(`/kvaults/vaults/${address}/metrics`)).body as ResponseObject;
    const expected = metricsOf(vaults, address, end);
    for (const [field, figure] of Object.entries(expected)) {
      expectNear(actual[field], figure, `${name} ${field}`);
    }
    expect(actual['numberOfHolders'], name).toBe(vaults.shares.of(address, end).size);
  }
}

export async function reconcileVaultHistory(proof: Reconciliation): Promise<void> {
  const { api, metadata, vaults, random, ledger } = proof;
  for (const { address, name } of metadata.vaults) {
    const { start: from, end: to, frequency } = random.rangeOfDays(HOURLY_DAYS);
    const length = frequency === 'hour' ? HOUR : DAY;
    const query = `?start=${isoOf(from)}&end=${isoOf(to)}`;
    const { body } = await api.get(`/kvaults/vaults/${address}/metrics/history${query}`);
    const points = body as ResponseObject[];
    const inRange = [...ledger.lastBefore(length)].filter(([at]) => at >= from && at < to);
    expect(points.map(({ timestamp }) => timestamp)).toEqual(inRange.map(([at]) => isoOf(at)));
    for (const [i, [, sample]] of inRange.entries()) {
      const what = `${name} ${isoOf(sample.unix)}`;
      const { interest } = vaults.totals(address, sample);
      expectPoint(points[i] ?? {}, { vault: vaults.at(address, sample), interest, what });
    }
  }
}

export async function reconcileVolumes(proof: Reconciliation): Promise<void> {
  const { api, metadata, vaults, ledger, end } = proof;
  let moved = 0;
  for (const { address, name } of metadata.vaults) {
    const from = end.unix - 6n * DAY;
    const query = `?start=${isoOf(from)}`;
    const { body } = await api.get(`/kvaults/vaults/${address}/allocation-volume/history${query}`);
    const invested = vaults.trades.filter(
      ({ vault, instruction }) => vault === address && instruction === 'invest',
    );
    const first = from - (from % DAY) + (from % DAY === 0n ? 0n : DAY);
    const days = Array.from({ length: 7 }, (_, i) => first + BigInt(i) * DAY);
    const inRange = days.filter((day) => day < end.unix);
    const points = body as ResponseObject[];
    expect(points.map(({ timestamp }) => timestamp)).toEqual(inRange.map(isoOf));
    for (const [i, day] of inRange.entries()) {
      const ofDay = invested.filter(({ unix }) => unix >= day && unix < day + DAY);
      const usd = ofDay.map(({ tokens = 0n, unix }) => {
        const sample = ledger.sampleAt(unix) ?? end;
        const { fields, price } = vaults.at(address, sample);
        return multiply(toDecimal50(tokens, 10n ** fields.tokenMintDecimals), price);
      });
      moved += ofDay.length;
      expectNear(points[i]?.['volumeUsd'], sum(usd), `${name} ${isoOf(day)}`);
    }
  }
  expect(moved).toBeGreaterThan(10);
}

export async function reconcileSummary(proof: Reconciliation, type: string): Promise<void> {
  const { api, metadata, vaults, end } = proof;
  const { earnings } = (await api.get(`/kvaults/summary?type=${type}`)).body as {
    earnings: Record<string, { usd: string; sol: string }>;
  };
  const sums = metadata.vaults
    .filter(({ address }) => metadata.privateCreditVaults.has(address) === (type !== 'default'))
    .map(({ address }) => vaults.totals(address, end));
  const add = (parts: readonly UsdSolValue[]): UsdSolValue => ({
    usd: sum(parts.map(({ usd }) => usd)),
    sol: sum(parts.map(({ sol }) => sol)),
  });
  const interest = add(sums.map((each) => each.interest));
  const rewards = add(sums.map((each) => each.farmRewards));
  const reserveRewards = add(sums.map((each) => each.reserveRewards));
  const total = add([interest, rewards, reserveRewards]);
  for (const [name, worth] of Object.entries({ interest, rewards, reserveRewards, total })) {
    expectNear(earnings[name]?.usd, worth.usd, `${name} usd`);
    expectNear(earnings[name]?.sol, worth.sol, `${name} sol`);
  }
  expect(interest.usd).toBeGreaterThan(0n);
}

function metricsOf(
  vaults: VaultIndex,
  address: Address,
  end: Reconciliation['end'],
): Record<string, Decimal50> {
  const then = vaults.at(address, end);
  const { price, solPrice, available, invested, interestPerSecond } = then;
  const sums = vaults.totals(address, end);
  const perSecondUsd = multiply(interestPerSecond, price);
  return {
    ...trailing(vaults, address, end),
    ...cumulative(
      'InterestEarned',
      cumulativeTokens(then, 'cumulativeEarnedInterestSf'),
      sums.interest,
    ),
    ...cumulative(
      'ManagementFees',
      cumulativeTokens(then, 'cumulativeMgmtFeesSf'),
      sums.managementFees,
    ),
    ...cumulative(
      'PerformanceFees',
      cumulativeTokens(then, 'cumulativePerfFeesSf'),
      sums.performanceFees,
    ),
    apy: apyFromApr(then.theoreticalApr),
    apyTheoretical: apyFromApr(then.theoreticalApr),
    apyActual: apyFromApr(then.actualApr),
    apyFarmRewards: then.farmRewardsApr,
    apyReservesIncentives: then.reservesIncentivesApr,
    tokenPrice: price,
    solPrice,
    tokensPerShare: then.tokensPerShare,
    sharePrice: multiply(then.tokensPerShare, price),
    sharesIssued: toDecimal50(then.fields.sharesIssued, 10n ** then.fields.sharesMintDecimals),
    tokensAvailable: available,
    tokensAvailableUsd: multiply(available, price),
    tokensInvested: invested,
    tokensInvestedUsd: multiply(invested, price),
    interestEarnedPerSecond: interestPerSecond,
    interestEarnedPerSecondUsd: perSecondUsd,
    interestEarnedPerSecondSol: divide(perSecondUsd, solPrice),
  };
}

const cumulative = (
  name: string,
  tokens: Decimal50,
  { usd, sol }: UsdSolValue,
): Record<string, Decimal50> => ({
  [`cumulative${name}`]: tokens,
  [`cumulative${name}Usd`]: usd,
  [`cumulative${name}Sol`]: sol,
});

/** Starts at the last sample before the window, or at the creation, with a share price of one, if the vault is younger. */
function trailing(
  vaults: VaultIndex,
  address: Address,
  end: Reconciliation['end'],
): Record<string, Decimal50> {
  const now = vaults.at(address, end).tokensPerShare;
  const createdAt = vaults.ledger.find(vaultState, address, end)?.creationTimestamp ?? 0n;
  const shared = vaults.ledger.samples
    .map((sample) => ({ unix: sample.unix, rate: vaults.at(address, sample).tokensPerShare }))
    .filter(({ rate }) => rate > 0n);
  return Object.fromEntries(
    Object.entries(WINDOWS).map(([name, days]) => {
      const sampled = shared.findLast(({ unix }) => unix <= end.unix - days * DAY);
      const then = sampled ?? { unix: createdAt, rate: toDecimal50(1n) };
      if (now === 0n) return [name, 0n];
      const age = end.unix - then.unix > DAY ? end.unix - then.unix : DAY;
      return [name, growthPower(divide(now, then.rate), [365n * DAY, age]) - toDecimal50(1n)];
    }),
  );
}

type PointCase = {
  readonly vault: LedgerVault;
  readonly interest: UsdSolValue;
  readonly what: string;
};

function expectPoint(actual: ResponseObject, { vault: then, interest, what }: PointCase): void {
  const near = (name: string, expected: Decimal50) =>
    expectNear(actual[name], expected, `${what} ${name}`);
  const tvl = multiply(then.aum, then.price);
  near('tvl', tvl);
  near('solTvl', divide(tvl, then.solPrice));
  near('sharePrice', multiply(then.tokensPerShare, then.price));
  near('apy', apyFromApr(then.theoreticalApr));
  near('apyTheoretical', apyFromApr(then.theoreticalApr));
  near('apyActual', apyFromApr(then.actualApr));
  near('apyFarmRewards', then.farmRewardsApr);
  near('apyReservesIncentives', then.reservesIncentivesApr);
  near('interest', then.accrued.interest);
  near('interestUsd', interest.usd);
  near('interestSol', interest.sol);
  const reserves = actual['reserves'] as ResponseObject[];
  expect(
    reserves.map(({ pubkey }) => pubkey),
    what,
  ).toEqual(then.allocations.map(({ reserve }) => reserve.address));
  for (const [i, { reserve, invested, rewardsApr }] of then.allocations.entries()) {
    const reservePoint = reserves[i] ?? {};
    const part = divide(invested, then.held * 10n ** then.fields.tokenMintDecimals);
    expectNear(reservePoint['supplyApy'], reserve.supplyApy, `${what} supplyApy`);
    expectNear(reservePoint['rewardsApy'], rewardsApr, `${what} rewardsApy`);
    expectNear(reservePoint['allocationRatio'], part, `${what} allocationRatio`);
  }
  const rewards = actual['vaultRewards'] as ResponseObject[];
  const paidRewards = then.farmRewards.filter(({ apr }) => apr > 0n);
  const mints = rewards.filter(({ apy }) => apy !== '0').map(({ tokenMint }) => tokenMint);
  expect(mints, what).toEqual(paidRewards.map(({ mint }) => mint));
}
