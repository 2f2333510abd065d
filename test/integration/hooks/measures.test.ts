import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { formatRatio, LIVE_DIGITS } from '#core/base/numbers/decimal.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import type { HookTrigger } from '#server/clusters/cluster-hooks.ts';
import { createMeasurer } from '#server/webhooks/measures.ts';
import { goldenCluster } from '../../support/golden/golden.ts';
import {
  goldenLoan,
  goldenReserve,
  goldenUser,
  goldenVault,
} from '../../support/golden/golden-addresses.ts';
import { staticCluster } from '../../support/golden/golden-clusters.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { startApi } from '../../support/http/test-api.ts';

const cluster = staticCluster();
const measure = createMeasurer(cluster);

/** The only value of a trigger, as a decimal. */
function measuredValue(trigger: HookTrigger): string {
  const [measured, ...others] = measure(trigger);
  expect(others).toEqual([]);
  if (measured === undefined) throw new Error('there is no value');
  return formatRatio(measured.value, LIVE_DIGITS);
}

type Loan = { readonly loanInfo: Readonly<Record<'currentLtv' | 'liquidationLtv', number>> };

const mintOf = (address: Address) => cluster.reader.reserve(address)?.fields.liquidity.mintPubkey;

const vault = goldenVault('Steady USDC').address;
const reserve = goldenReserve('Main Market', 'SOL').address;

test('LTV and distance to liquidation are those of the loan', async () => {
  const { get } = await startApi();
  const obligation = goldenLoan('frank');
  const { body } = await get(`/klend/loans/${obligation}`);
  const { currentLtv, liquidationLtv } = (body as Loan).loanInfo;
  expect(Number(measuredValue({ type: 'loanHealth', obligation }))).toBe(currentLtv);
  const distance = measuredValue({
    type: 'loanHealth',
    obligation,
    metric: 'distanceToLiquidation',
  });
  expect(Number(distance)).toBeCloseTo(1 - currentLtv / liquidationLtv, 12);
  const wallet = goldenUser('frank').address;
  const loans = measure({ type: 'loanHealth', wallet }).map(({ subject }) => subject);
  expect(loans).toContain(obligation);
});

test('the yield of a vault is its actual one', async () => {
  const { get } = await startApi();
  const { body } = await get(`/kvaults/vaults/${vault}/metrics`);
  expect(measuredValue({ type: 'vaultApy', vault })).toBe(
    (body as { apyActual: string }).apyActual,
  );
});

test('the liquidity of a vault is what it holds and what its reserves can pay out', async () => {
  const { get } = await startApi();
  const metrics = (await get(`/kvaults/vaults/${vault}/metrics`)).body as Record<string, string>;
  const payable = goldenVault('Steady USDC').allocations.map(({ reserve: address }) => {
    const { totalAvailableAmount = 0n, mintDecimals = 0n } =
      cluster.reader.reserve(address)?.fields.liquidity ?? {};
    return Number(totalAvailableAmount) / 10 ** Number(mintDecimals);
  });
  const all = Number(metrics['tokensAvailable']) + Number(metrics['tokensInvested']);
  const value = Number(measuredValue({ type: 'vaultLiquidity', vault }));
  expect(value).toBeGreaterThanOrEqual(Number(metrics['tokensAvailable']));
  expect(value).toBeLessThanOrEqual(all);
  expect(value).toBeLessThanOrEqual(
    Number(metrics['tokensAvailable']) + payable.reduce((sum, each) => sum + each, 0),
  );
});

test('the price of a reserve is that of its market, and a cap is used by supply or debt', async () => {
  const { get } = await startApi();
  const { fields } = cluster.reader.reserve(reserve) ?? {};
  if (fields === undefined) throw new Error('there is no such reserve');
  const { body } = await get(`/svc-market/${fields.lendingMarket}/reserves/metrics`);
  const rows = body as Record<string, string>[];
  const row = rows.find((each) => each['reserve'] === reserve) ?? {};
  const price = Number(row['totalSupplyUsd']) / Number(row['totalSupply']);
  expect(Number(measuredValue({ type: 'reservePrice', reserve }))).toBeCloseTo(price, 8);
  const whole = 10 ** Number(fields.liquidity.mintDecimals);
  const { depositLimit, borrowLimit } = fields.config;
  expect(Number(measuredValue({ type: 'reserveCap', reserve, cap: 'deposit' }))).toBeCloseTo(
    (Number(row['totalSupply']) * whole) / Number(depositLimit),
    12,
  );
  expect(Number(measuredValue({ type: 'reserveCap', reserve, cap: 'borrow' }))).toBeCloseTo(
    (Number(row['totalBorrow']) * whole) / Number(borrowLimit),
    12,
  );
});

test('prices that are too old are named with a value in USD, with their age', () => {
  const { at } = goldenCluster();
  const later = { slot: toSlot(at.slot + 216_000n), unix: toUnixSeconds(at.unix + 86_400n) };
  const measureLater = createMeasurer(staticCluster({ reader: goldenReader({ at: later }) }));
  const obligation = goldenLoan('frank');
  const { deposits, borrows } = cluster.reader.obligation(obligation)?.fields ?? {};
  const positions = [
    ...[...(deposits ?? [])]
      .filter(({ depositedAmount }) => depositedAmount > 0n)
      .map(({ depositReserve }) => depositReserve),
    ...[...(borrows ?? [])]
      .filter(({ borrowedAmountSf }) => borrowedAmountSf > 0n)
      .map(({ borrowReserve }) => borrowReserve),
  ];
  for (const [trigger, reserves] of [
    [{ type: 'loanHealth', obligation }, positions],
    [{ type: 'reservePrice', reserve }, [reserve]],
    [{ type: 'reserveCap', reserve, cap: 'deposit' }, []],
    [{ type: 'vaultApy', vault }, []],
  ] as const) {
    expect(measure(trigger)[0]?.stalePrices).toEqual([]);
    const stale = measureLater(trigger)[0]?.stalePrices ?? [];
    expect(stale.map(({ mint }) => mint)).toEqual(reserves.map(mintOf).sort());
    for (const { ageSeconds } of stale) {
      expect(ageSeconds).toBeGreaterThanOrEqual(86_400);
      expect(ageSeconds).toBeLessThan(86_400 + 600);
    }
  }
});

test('what does not exist has no value', () => {
  const missing = 'So11111111111111111111111111111111111111112';
  for (const trigger of [
    { type: 'loanHealth', obligation: missing },
    { type: 'loanHealth', wallet: missing },
    { type: 'vaultApy', vault: missing },
    { type: 'reservePrice', reserve: missing },
    { type: 'walletTransactions', wallet: missing },
  ] as const) {
    expect(measure(trigger)).toEqual([]);
  }
});
