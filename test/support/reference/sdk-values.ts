import { expect } from 'vitest';
import {
  type Decimal50,
  divide,
  multiply,
  parseDecimal50,
  toDecimal50,
} from './reference-lending.ts';

/** A reserve in `expected.json`, in lamports except for the price. `estimated` values are at the slot. */
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
  /** In lamports. */
  readonly supply: Decimal50;
  readonly debt: Decimal50;
  readonly price: Decimal50;
  readonly lamportsPerToken: bigint;
  /** The program's value per projected lamport of the SDK, for deposits and debts. */
  readonly perDeposit: Decimal50;
  readonly perDebt: Decimal50;
};

const ONE = toDecimal50(1n);
/** The precision of the SDK's power of doubles. */
const APY = 2e-8;

/**
 * The values of the SDK with the interest of the program since the last refresh. At slots of 400 ms the SDK projects 1.25
 * times the interest of the curve plus the interest of the host, which suppliers do not receive.
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

/** The maximum relative error of the SDK's sum of positions. */
export const largestExcess = (
  positions: readonly { readonly perLamport: Decimal50 }[],
): Decimal50 =>
  positions
    .map(({ perLamport }) => ONE - perLamport)
    .reduce((most, excess) => (excess > most ? excess : most), 0n);

/** Compares with a relative tolerance. */
export function expectWithin(
  text: unknown,
  { of, part }: { of: Decimal50; part: Decimal50 },
  label: string,
) {
  const difference = parseDecimal50(String(text)) - of;
  const [distance, size] = [difference < 0n ? -difference : difference, of < 0n ? -of : of];
  expect(distance <= multiply(size, part), `${label}: ${text} for ${of}`).toBe(true);
}

export function expectApy(text: unknown, expected: number | string, label: string): void {
  const difference = Math.abs(Number(text) - Number(expected));
  expect(difference, `${label}: ${text} for ${expected}`).toBeLessThan(APY);
}
