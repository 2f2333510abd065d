import { type Address, sfFromBits, sfFromInt, toUnixSeconds } from '@tidegate/core/base';
import { WRAPPED_SOL_MINT } from '@tidegate/core/protocol/spl';
import { samplePrice } from '@tidegate/core/views/series';
import { expect, test } from 'vitest';
import { namedAddress } from '../../../../../test/support/protocol/published-calls.ts';
import type { HistoricalPrices } from './historical-prices.ts';
import { transactionPrices } from './transaction-prices.ts';

const AT = toUnixSeconds(500n);
const BONK = namedAddress('BONK');

const mints = new Map([
  [namedAddress('SOL reserve'), WRAPPED_SOL_MINT],
  [namedAddress('other SOL reserve'), WRAPPED_SOL_MINT],
  [namedAddress('BONK reserve'), BONK],
]);

/** A decimal with up to eight digits, as it is stored. */
const stored = (text: string) => {
  const [whole = '', decimals = ''] = text.split('.');
  const digits = BigInt(whole + decimals.padEnd(8, '0'));
  return sfFromBits((digits << 60n) / 10n ** 8n);
};

const sampled = (price: string | undefined): HistoricalPrices => ({
  priceAt: () => (price === undefined ? undefined : stored(price)),
  solPriceAt: () => sfFromInt(1n),
  stakeRateAt: () => undefined,
  tokensPerShareAt: () => undefined,
});

const pricesOf = (logged: readonly [string, bigint][], price?: string) =>
  transactionPrices(
    logged.map(([reserve, tenThousandths]) => ({ reserve: namedAddress(reserve), tenThousandths })),
    sampled(price),
    { mintOfReserve: (reserve) => mints.get(reserve) },
  );

/** Rounded to eight digits. */
const dollars = (price: ReturnType<HistoricalPrices['priceAt']>) => {
  const { numerator, denominator } = samplePrice(price ?? null);
  return Number((Number(numerator) / Number(denominator)).toFixed(8));
};

const priceOf = (mint: Address, ...args: Parameters<typeof pricesOf>) =>
  dollars(pricesOf(...args).priceAt(mint, AT));

test('a price that the transaction used comes before that of the last sample', () => {
  const logged: [string, bigint][] = [['SOL reserve', 1_652_633n]];
  expect(priceOf(WRAPPED_SOL_MINT, logged, '165.2038')).toBe(165.2633);
  expect(dollars(pricesOf(logged, '165.2038').solPriceAt(AT))).toBe(165.2633);
});

test('an event from before the samples has no price, because a log has only four decimals', () => {
  const logged: [string, bigint][] = [['SOL reserve', 1_652_633n]];
  expect(pricesOf(logged).priceAt(WRAPPED_SOL_MINT, AT)).toBeUndefined();
});

test('a price that agrees with the four decimals of the log is more exact', () => {
  const logged: [string, bigint][] = [['SOL reserve', 1_652_633n]];
  expect(priceOf(WRAPPED_SOL_MINT, logged, '165.26334512')).toBe(165.26334512);
  expect(priceOf(WRAPPED_SOL_MINT, logged, '165.26325')).toBe(165.26325);
  expect(priceOf(WRAPPED_SOL_MINT, logged, '165.2634')).toBe(165.2633);
  expect(priceOf(WRAPPED_SOL_MINT, logged, '165.2632')).toBe(165.2633);
});

test('other tokens have the prices of their samples', () => {
  expect(priceOf(BONK, [['SOL reserve', 1_652_633n]], '0.00002')).toBe(0.00002);
  expect(priceOf(BONK, [['unknown reserve', 1_652_633n]], '0.00002')).toBe(0.00002);
});

test('reserves that disagree about a token tell no price', () => {
  const logged: [string, bigint][] = [
    ['SOL reserve', 1_652_633n],
    ['other SOL reserve', 1_652_644n],
  ];
  expect(priceOf(WRAPPED_SOL_MINT, logged, '165.2')).toBe(165.2);
  const again: [string, bigint][] = [
    ['SOL reserve', 1_652_633n],
    ['SOL reserve', 1_652_644n],
  ];
  expect(priceOf(WRAPPED_SOL_MINT, again, '165.2')).toBe(165.2644);
});
