import { expect } from 'vitest';
import { over, times, toWide, type Wide, wideOfText } from './reference-lending.ts';

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

export type BookedReserve = {
  /** Lamports. */
  readonly supply: Wide;
  readonly debt: Wide;
  readonly price: Wide;
  readonly lamportsPerToken: bigint;
  /** What the program has for one lamport of a deposit, and of a debt, that the SDK projects. */
  readonly perDeposit: Wide;
  readonly perDebt: Wide;
};

const ONE = toWide(1n);
/** Its power of doubles has no more digits. */
const APY = 2e-8;

/**
 * What the SDK says with the interest since the last refresh as the program books it: at slots of 400 ms the SDK
 * projects 1.25 times the interest of the curve, and once that of the host, of which suppliers get nothing.
 */
export function bookedReserve(reserve: SdkReserve): BookedReserve {
  const { estimated, stats } = reserve;
  const curve = wideOfText(reserve.borrowRate.toFixed(30));
  const host = wideOfText(reserve.fixedHostRate);
  const [oldDebt, itsDebt] = [wideOfText(reserve.borrowed), wideOfText(estimated.totalBorrow)];
  const debt = oldDebt + times(itsDebt - oldDebt, over((curve * 4n) / 5n + host, curve + host));
  const [oldSupply, itsSupply] = [
    wideOfText(reserve.totalSupply),
    wideOfText(estimated.totalSupply),
  ];
  const supply = oldSupply + ((itsSupply - oldSupply) * 4n) / 5n;
  const cumulative = times(wideOfText(reserve.cumulativeBorrowRate), over(debt, oldDebt));
  return {
    supply,
    debt,
    price: wideOfText(reserve.oraclePrice),
    lamportsPerToken: 10n ** BigInt(stats.decimals),
    perDeposit: over(supply, itsSupply),
    perDebt: over(cumulative, wideOfText(reserve.estimatedCumulativeBorrowRate)),
  };
}

/** How far the SDK's sum of such positions may be off, as a part of it. */
export const largestExcess = (positions: readonly { readonly perLamport: Wide }[]): Wide =>
  positions
    .map(({ perLamport }) => ONE - perLamport)
    .reduce((most, excess) => (excess > most ? excess : most), 0n);

/** Within a part of the expected figure. */
export function expectWithin(text: unknown, { of, part }: { of: Wide; part: Wide }, what: string) {
  const apart = wideOfText(String(text)) - of;
  const [distance, size] = [apart < 0n ? -apart : apart, of < 0n ? -of : of];
  expect(distance <= times(size, part), `${what}: ${text} for ${of}`).toBe(true);
}

export function expectApy(text: unknown, expected: number | string, what: string): void {
  const apart = Math.abs(Number(text) - Number(expected));
  expect(apart, `${what}: ${text} for ${expected}`).toBeLessThan(APY);
}
