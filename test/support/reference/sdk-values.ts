import { expect } from 'vitest';
import {
  type Decimal50,
  divide,
  multiply,
  parseDecimal50,
  toDecimal50,
} from './reference-lending.ts';

/** A reserve in `expected.json`: lamports, except for the price. `estimated` means as of the slot. */
export type SdkReserve = {
  readonly address: string;
  readonly symbol: string;
  readonly mint: string;
  readonly stats: { readonly decimals: number; readonly loanToValue: number };
  readonly oraclePrice: string;
  readonly totalSupply: string;
  readonly borrowed: string;
  readonly estimated: { readonly totalSupply: string; readonly totalBorrow: string };
  readonly cumulativeBorrowRate: string;
  readonly estimatedCumulativeBorrowRate: string;
  readonly borrowRate: number;
  readonly fixedHostRate: string;
  readonly borrowApy: number;
  readonly supplyApy: number;
};

export type AccruedReserve = {
  /** Lamports. */
  readonly supply: Decimal50;
  readonly debt: Decimal50;
  readonly price: Decimal50;
  readonly lamportsPerToken: bigint;
  /** What the program has for one lamport of a deposit, and of a debt, that the SDK projects. */
  readonly perDeposit: Decimal50;
  readonly perDebt: Decimal50;
};

const ONE = toDecimal50(1n);
/** Its power of doubles has no more digits. */
const APY = 2e-8;

/**
 * What the SDK says with the interest since the last refresh as the program books it: at slots of 400 ms the SDK
 * projects 1.25 times the interest of the curve, and once that of the host, of which suppliers get nothing.
 */
export function accruedReserve(reserve: SdkReserve): AccruedReserve {
  const { estimated, stats } = reserve;
  const curve = parseDecimal50(reserve.borrowRate.toFixed(30));
  const host = parseDecimal50(reserve.fixedHostRate);
  const [oldDebt, itsDebt] = [
    parseDecimal50(reserve.borrowed),
    parseDecimal50(estimated.totalBorrow),
  ];
  const debt =
    oldDebt + multiply(itsDebt - oldDebt, divide((curve * 4n) / 5n + host, curve + host));
  const [oldSupply, itsSupply] = [
    parseDecimal50(reserve.totalSupply),
    parseDecimal50(estimated.totalSupply),
  ];
  const supply = oldSupply + ((itsSupply - oldSupply) * 4n) / 5n;
  const cumulative = multiply(parseDecimal50(reserve.cumulativeBorrowRate), divide(debt, oldDebt));
  return {
    supply,
    debt,
    price: parseDecimal50(reserve.oraclePrice),
    lamportsPerToken: 10n ** BigInt(stats.decimals),
    perDeposit: divide(supply, itsSupply),
    perDebt: divide(cumulative, parseDecimal50(reserve.estimatedCumulativeBorrowRate)),
  };
}

/** How far the SDK's sum of such positions may be off, as a part of it. */
export const largestExcess = (
  positions: readonly { readonly perLamport: Decimal50 }[],
): Decimal50 =>
  positions
    .map(({ perLamport }) => ONE - perLamport)
    .reduce((most, excess) => (excess > most ? excess : most), 0n);

/** Within a part of the expected figure. */
export function expectWithin(
  text: unknown,
  { of, part }: { of: Decimal50; part: Decimal50 },
  what: string,
) {
  const apart = parseDecimal50(String(text)) - of;
  const [distance, size] = [apart < 0n ? -apart : apart, of < 0n ? -of : of];
  expect(distance <= multiply(size, part), `${what}: ${text} for ${of}`).toBe(true);
}

export function expectApy(text: unknown, expected: number | string, what: string): void {
  const apart = Math.abs(Number(text) - Number(expected));
  expect(apart, `${what}: ${text} for ${expected}`).toBeLessThan(APY);
}
