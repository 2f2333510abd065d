import { expect, test } from 'vitest';
import {
  curve,
  exampleReserve,
  NOW,
  SLOT,
  USDC_RESERVE,
} from '../../../../../test/support/lending/lending-accounts.ts';
import { reservePointJson } from '../../../../server/src/operations/reserves/metrics-history/point-json.ts';
import { bytesFromText } from '../../base/encoding/bytes.ts';
import { toLamports, U64_MAX } from '../../base/numbers/lamports.ts';
import { ONE_SF, sfFromBits, sfFromInt } from '../../base/numbers/scaled-fraction.ts';
import { toSlot } from '../../base/time.ts';
import type { Reserve } from '../../protocol/klend/layout/reserve.ts';
import { NEWEST_LENDING_RULES } from '../../protocol/klend/releases.ts';
import { viewReservePoint } from './reserve-history.ts';

const context = {
  referralFeeBps: 2000,
  reserveRewardsMaxAprBps: 0,
  slotMs: { numerator: 400n, denominator: 1n },
};

const TWO_DOLLARS = sfFromInt(2n);

type PointJson = {
  readonly [Name in
    | 'status'
    | 'totalBorrows'
    | 'cumulativeBorrowRate'
    | 'accumulatedProtocolFees']: string;
} & {
  readonly [Name in 'exchangeRate' | 'supplyInterestAPY' | 'borrowInterestAPY']: number;
} & { readonly borrowCurve: readonly [number, number][] };

function pointOf(fields: Reserve, slot = SLOT): PointJson {
  const reserve = { address: USDC_RESERVE, fields, oraclePrice: TWO_DOLLARS };
  return JSON.parse(
    reservePointJson(
      viewReservePoint(reserve, {
        ...context,
        time: { slot, unix: NOW },
        rules: NEWEST_LENDING_RULES,
      }),
    ),
  );
}

const withConfig = (config: Partial<Reserve['config']>): Reserve => {
  const base = exampleReserve();
  return { ...base, config: { ...base.config, ...config } };
};

test('amounts are in whole tokens, values at the historical oracle price', () => {
  // 10^12 available and 5 * 10^11 lent, less 10^6 of fees, at six decimals
  expect(pointOf(exampleReserve())).toMatchObject({
    decimals: 6,
    totalSupply: '1499999',
    totalBorrows: '500000',
    totalLiquidity: '1000000',
    mintTotalSupply: '1400000',
    accumulatedProtocolFees: '1',
    depositTvl: '2999998',
    borrowTvl: '1000000',
    assetPriceUSD: 1,
    assetOraclePriceUSD: 2,
    cumulativeBorrowRate: '1',
    exchangeRate: 1_400_000 / 1_499_999,
    utilizationRatio: 500_000 / 1_499_999,
  });
});

test('rates combine the curve and the host rate, per year of shorter slots', () => {
  const used = 500_000 / 1_499_999;
  const borrowApr = (0.08 * (used / 0.8) + 0.005) * (500 / 400);
  const supplyApr = used * 0.08 * (used / 0.8) * (500 / 400) * 0.85;
  const { borrowInterestAPY, supplyInterestAPY } = pointOf(exampleReserve());
  expect(borrowInterestAPY).toBeCloseTo(Math.exp(borrowApr) - 1, 8);
  expect(supplyInterestAPY).toBeCloseTo(Math.exp(supplyApr) - 1, 8);
});

test('interest accrues up to the slot of the point', () => {
  const later = pointOf(exampleReserve(), toSlot(SLOT + 216_000n));
  const grown = Number(later.totalBorrows) / 500_000 - 1;
  // 30 program hours at 3.83 %
  const expected = (0.08 * (1 / 3 / 0.8) + 0.005) * (216_000 / 63_072_000);
  expect(grown).toBeCloseTo(expected, 7);
  expect(Number(later.cumulativeBorrowRate) - 1).toBeCloseTo(expected, 7);
  expect(Number(later.accumulatedProtocolFees)).toBeGreaterThan(1);
  expect(later.exchangeRate).toBeLessThan(1_400_000 / 1_499_999);
});

test('config values are fractions, the borrow factor is in percent, limits in lamports', () => {
  const name = new Uint8Array(32);
  name.set(bytesFromText('USDC'));
  const { config, liquidity } = exampleReserve();
  const fields = {
    ...withConfig({
      tokenInfo: { ...config.tokenInfo, name },
      borrowFactorPct: 125n,
      minLiquidationBonusBps: 200,
      maxLiquidationBonusBps: 1000,
      depositLimit: toLamports(600_000_000_000_000n),
      fees: {
        ...config.fees,
        originationFeeSf: sfFromBits(ONE_SF / 4n),
        flashLoanFeeSf: sfFromBits(ONE_SF / 8n),
      },
    }),
    liquidity: { ...liquidity, borrowLimitCrossedTimestamp: NOW },
  };
  expect(pointOf(fields)).toMatchObject({
    symbol: 'USDC',
    borrowFactor: 125,
    loanToValue: 0.75,
    liquidationThreshold: 0.8,
    minLiquidationBonus: 0.02,
    maxLiquidationBonus: 0.1,
    protocolTakeRate: 0.15,
    borrowFeePercentage: 0.25,
    flashLoanFeePercentage: 0.125,
    reserveDepositLimit: '600000000000000',
    reserveBorrowLimit: '18446744073709551615',
    depositLimitCrossedTimestamp: 0,
    borrowLimitCrossedTimestamp: 1_700_000_000,
  });
});

test('a reserve without flash loans has no flash loan fee', () => {
  const { fees } = exampleReserve().config;
  const none = withConfig({ fees: { ...fees, flashLoanFeeSf: sfFromBits(U64_MAX) } });
  expect(pointOf(none)).not.toHaveProperty('flashLoanFeePercentage');
  expect(pointOf(exampleReserve())).toHaveProperty('flashLoanFeePercentage', 0);
});

test('the curve ends at the first occurrence of its last point', () => {
  const points = [
    [0, 1],
    [8000, 600],
    [9000, 1200],
    [10000, 6000],
  ] as const;
  expect(pointOf(withConfig({ borrowRateCurve: curve(points) })).borrowCurve).toEqual([
    [0, 0.0001],
    [0.8, 0.06],
    [0.9, 0.12],
    [1, 0.6],
  ]);
  const full = Array.from({ length: 11 }, (_, i) => [i * 1000, i * 100] as const);
  expect(pointOf(withConfig({ borrowRateCurve: curve(full) })).borrowCurve).toHaveLength(11);
});

test('every status has a name', () => {
  const names = [0, 1, 2].map((status) => pointOf(withConfig({ status })).status);
  expect(names).toEqual(['Active', 'Obsolete', 'Hidden']);
});

test('without cTokens or without supply the exchange rate is one', () => {
  const { liquidity, collateral } = exampleReserve();
  const unissued = { ...exampleReserve(), collateral: { ...collateral, mintTotalSupply: 0n } };
  expect(pointOf(unissued).exchangeRate).toBe(1);
  const none = {
    ...liquidity,
    totalAvailableAmount: toLamports(0n),
    borrowedAmountSf: sfFromBits(0n),
    accumulatedProtocolFeesSf: sfFromBits(0n),
  };
  expect(pointOf({ ...exampleReserve(), liquidity: none }).exchangeRate).toBe(1);
});

test('an empty reserve has an exchange rate of one and no utilization', () => {
  const { liquidity, collateral } = exampleReserve();
  const empty = {
    ...exampleReserve(),
    liquidity: {
      ...liquidity,
      totalAvailableAmount: toLamports(0n),
      borrowedAmountSf: sfFromBits(0n),
      accumulatedProtocolFeesSf: sfFromBits(0n),
    },
    collateral: { ...collateral, mintTotalSupply: 0n },
  };
  expect(pointOf(empty)).toMatchObject({
    exchangeRate: 1,
    utilizationRatio: 0,
    totalSupply: '0',
    depositTvl: '0',
    supplyInterestAPY: 0,
  });
});
