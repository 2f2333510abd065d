import { expect, test } from 'vitest';
import { exampleMarket } from '../../../../../test/support/lending/example-market.ts';
import {
  exampleReserve,
  exampleSolReserve,
  SLOT,
  SOL_RESERVE,
  USDC_RESERVE,
} from '../../../../../test/support/lending/lending-accounts.ts';
import { bytesFromText } from '../../base/encoding/bytes.ts';
import { formatRatio } from '../../base/numbers/decimal.ts';
import { toSlot } from '../../base/time.ts';
import type { Reserve } from '../../protocol/klend/layout/reserve.ts';
import { viewReserve, viewReserves } from './reserve-snapshot.ts';

const SLOT_MS = { numerator: 400n, denominator: 1n };

function withName(reserve: Reserve, name: string): Reserve {
  const bytes = new Uint8Array(32);
  bytes.set(bytesFromText(name));
  const tokenInfo = { ...reserve.config.tokenInfo, name: bytes };
  return { ...reserve, config: { ...reserve.config, tokenInfo } };
}

const usdcOf = (reserve: Reserve) => {
  const found = exampleMarket({ reserves: new Map([[USDC_RESERVE, reserve]]) }).reserves;
  const now = found.get(USDC_RESERVE);
  if (now === undefined) throw new Error('the reserve is missing');
  return now;
};

test('amounts are in whole tokens and USD, and rates follow the curve', () => {
  const now = usdcOf(withName(exampleReserve(), 'USDC'));
  const metrics = viewReserve(now, SLOT_MS);
  expect(metrics).toMatchObject({ address: USDC_RESERVE, symbol: 'USDC' });
  const text = (
    name: 'maxLtv' | 'totalSupply' | 'totalBorrow' | 'totalSupplyUsd' | 'totalBorrowUsd',
  ) => formatRatio(metrics[name], 40);
  expect(text('maxLtv')).toBe('0.75');
  // 10^12 available and 5 * 10^11 lent, less 10^6 of fees, at six decimals
  expect(text('totalSupply')).toBe('1499999');
  expect(text('totalBorrow')).toBe('500000');
  expect(text('totalSupplyUsd')).toBe('1499999');
  expect(text('totalBorrowUsd')).toBe('500000');
  // A third is lent: 3.33 % from the curve and 0.5 % for the host, per year of shorter slots.
  const borrowApr = (0.08 * (500_000 / 1_499_999 / 0.8) + 0.005) * (500 / 400);
  const supplyApr = (500_000 / 1_499_999) * 0.08 * (500_000 / 1_499_999 / 0.8) * 1.25 * 0.85;
  expect(Number(formatRatio(metrics.borrowApy, 20))).toBeCloseTo(Math.exp(borrowApr) - 1, 8);
  expect(Number(formatRatio(metrics.supplyApy, 20))).toBeCloseTo(Math.exp(supplyApr) - 1, 8);
});

test('interest since the last refresh is part of the debt and the supply', () => {
  const base = exampleReserve();
  const old = { ...base, lastUpdate: { ...base.lastUpdate, slot: toSlot(SLOT - 216_000n) } };
  const fresh = viewReserve(usdcOf(base), SLOT_MS);
  const aged = viewReserve(usdcOf(old), SLOT_MS);
  const growth = (later: bigint, earlier: bigint) => Number(later) / Number(earlier) - 1;
  // 30 program hours at 3.83 %
  expect(growth(aged.totalBorrow.numerator, fresh.totalBorrow.numerator)).toBeCloseTo(
    (0.08 * (1 / 3 / 0.8) + 0.005) * (216_000 / 63_072_000),
    7,
  );
  expect(aged.totalSupply.numerator).toBeGreaterThan(fresh.totalSupply.numerator);
});

test('a reserve newer than the slot is not changed', () => {
  const base = exampleReserve();
  const ahead = { ...base, lastUpdate: { ...base.lastUpdate, slot: toSlot(SLOT + 5n) } };
  expect(usdcOf(ahead).liquidity).toEqual(usdcOf(base).liquidity);
});

test('the largest supply in USD comes first, then the lower address', () => {
  // some 900,000 USD of SOL, 1,499,999 of USDC
  const sol = exampleSolReserve();
  const order = (reserves: [typeof SOL_RESERVE, Reserve][]) =>
    viewReserves(
      exampleMarket({ reserves: new Map(reserves) }).reserves.values(),
      SLOT_MS,
    ).items.map(({ address }) => address);
  expect(
    order([
      [SOL_RESERVE, sol],
      [USDC_RESERVE, exampleReserve()],
    ]),
  ).toEqual([USDC_RESERVE, SOL_RESERVE]);
  expect(
    order([
      [USDC_RESERVE, exampleReserve()],
      [SOL_RESERVE, sol],
    ]),
  ).toEqual([USDC_RESERVE, SOL_RESERVE]);
  expect(
    order([
      [SOL_RESERVE, sol],
      [USDC_RESERVE, sol],
    ]),
  ).toEqual([USDC_RESERVE, SOL_RESERVE]);
});
