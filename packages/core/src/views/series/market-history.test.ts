import { expect, test } from 'vitest';
import {
  emptyMarket,
  exampleObligation,
  exampleReserve,
  exampleSolReserve,
  MARKET,
  NOW,
  SLOT,
  SOL_RESERVE,
  USDC_RESERVE,
} from '../../../../../test/support/lending/lending-accounts.ts';
import { ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { formatRatio } from '../../base/numbers/decimal.ts';
import { sfFromInt } from '../../base/numbers/scaled-fraction.ts';
import { NEWEST_LENDING_RULES } from '../../protocol/klend/releases.ts';
import { type HistoricalReserve, snapshotHistoricalMarket } from './historical-market.ts';
import { hasPositions, viewMarketPoint } from './market-history.ts';

const marketOf = (reserves: readonly HistoricalReserve[]) =>
  snapshotHistoricalMarket({
    market: { address: MARKET, fields: emptyMarket() },
    reserves,
    at: { slot: SLOT, unix: NOW },
    slotMs: { numerator: 400n, denominator: 1n },
    rules: NEWEST_LENDING_RULES,
  });

test('a market is the sum of its reserves at historical prices', () => {
  const point = viewMarketPoint(
    marketOf([
      { address: USDC_RESERVE, fields: exampleReserve(), oraclePrice: sfFromInt(2n) },
      { address: SOL_RESERVE, fields: exampleSolReserve(), oraclePrice: sfFromInt(100n) },
      { address: MARKET, fields: exampleReserve(), oraclePrice: sfFromInt(3n) },
    ]),
    7,
  );
  expect(point).toMatchObject({ market: MARKET, at: { slot: SLOT, unix: NOW }, obligations: 7 });
  // 1,499,999 at 2 and at 3 USD, and 5,999.999 SOL at 100
  expect(formatRatio(point.depositTvl, 200)).toBe('8099994.9');
  expect(formatRatio(point.borrowTvl, 200)).toBe('2550000');
});

test('a market without reserves is worth zero', () => {
  const { depositTvl, borrowTvl } = viewMarketPoint(marketOf([]), 0);
  expect([depositTvl, borrowTvl].map((value) => formatRatio(value, 40))).toEqual(['0', '0']);
});

test('an obligation has positions if it has a deposit or a debt', () => {
  const example = exampleObligation();
  const deposits = example.deposits.map((position) => ({
    ...position,
    depositReserve: ZERO_ADDRESS,
  }));
  const borrows = example.borrows.map((position) => ({ ...position, borrowReserve: ZERO_ADDRESS }));
  expect(hasPositions(example)).toBe(true);
  expect(hasPositions({ ...example, deposits })).toBe(true);
  expect(hasPositions({ ...example, borrows })).toBe(true);
  expect(hasPositions({ deposits, borrows })).toBe(false);
});
