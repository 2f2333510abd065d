import { expect, test } from 'vitest';
import type { Ratio } from '#core/base/numbers/decimal.ts';
import { U64_MAX } from '#core/base/numbers/lamports.ts';
import { ONE_SF, type Sf, ZERO_SF } from '#core/base/numbers/scaled-fraction.ts';
import { accrualTerms } from '#core/protocol/klend/math/accrual/accrual.ts';
import { reserveRates } from '#core/protocol/klend/math/accrual/rates.ts';
import { ctokenExchangeRate } from '#core/protocol/klend/math/exchange-rate.ts';
import { obligationStats } from '#core/protocol/klend/math/obligation-stats.ts';
import { reserveAtSlot } from '#core/protocol/klend/math/reserve-at-slot.ts';
import { totalSupply, utilization } from '#core/protocol/klend/math/supply.ts';
import { refreshObligation } from '#core/protocol/klend/operations/refresh/refresh-obligation.ts';
import { NEWEST_LENDING_RULES } from '#core/protocol/klend/releases.ts';
import { readGolden } from '../support/golden/golden.ts';
import {
  addressOf,
  goldenLending,
  parseRatio,
  relativeError,
} from '../support/golden/golden-lending.ts';
import { RECORDED_BUILD_RULES } from '../support/golden/recorded-build.ts';

type ProgramFile = {
  reserves: Record<string, string>[];
  obligations: (Record<string, string> & {
    deposits: Record<string, string>[];
    borrows: Record<string, string>[];
  })[];
};

const program = readGolden('program.json') as ProgramFile;
const old = goldenLending(RECORDED_BUILD_RULES.lending);

test.each(program.reserves)(
  'program.json: refreshes $market $symbol to the same bits',
  (expected) => {
    const found = old.refreshed.get(addressOf(expected['address'] ?? ''));
    expect({
      lastUpdateSlot: found?.lastUpdate.slot.toString(),
      priceStatus: found?.lastUpdate.priceStatus,
      availableAmount: found?.liquidity.totalAvailableAmount.toString(),
      borrowedAmountSf: found?.liquidity.borrowedAmountSf.toString(),
      marketPriceSf: found?.liquidity.marketPriceSf.toString(),
      marketPriceLastUpdatedTs: found?.liquidity.marketPriceLastUpdatedTs.toString(),
      cumulativeBorrowRate: found?.liquidity.cumulativeBorrowRateBsf.value.toString(),
      accumulatedProtocolFeesSf: found?.liquidity.accumulatedProtocolFeesSf.toString(),
      accumulatedReferrerFeesSf: found?.liquidity.accumulatedReferrerFeesSf.toString(),
      pendingReferrerFeesSf: found?.liquidity.pendingReferrerFeesSf.toString(),
      collateralMintSupply: found?.collateral.mintTotalSupply.toString(),
    }).toEqual(without(expected, ['market', 'symbol', 'address']));
  },
);

test.each(program.obligations)(
  'program.json: refreshes the $market obligation $address to the same bits',
  (expected) => {
    const before = old.obligations.get(addressOf(expected['address'] ?? ''));
    if (before === undefined) throw new Error('no such obligation');
    const position = { obligation: before, reserves: old.refreshed };
    const { obligation } = refreshObligation(position, old.termsOf(before.lendingMarket));
    const sums = [
      'depositedValueSf',
      'borrowedAssetsMarketValueSf',
      'borrowFactorAdjustedDebtValueSf',
      'allowedBorrowValueSf',
      'unhealthyBorrowValueSf',
    ] as const;
    expect(sums.map((name) => obligation[name].toString())).toEqual(
      sums.map((name) => expected[name]),
    );
    const deposits = obligation.deposits.filter(({ depositedAmount }) => depositedAmount > 0n);
    expect(
      deposits.map(({ depositReserve, depositedAmount, marketValueSf }) => ({
        reserve: depositReserve,
        depositedAmount: depositedAmount.toString(),
        marketValueSf: marketValueSf.toString(),
      })),
    ).toEqual(expected.deposits.map((deposit) => without(deposit, ['symbol'])));
    const borrows = obligation.borrows.filter(({ borrowedAmountSf }) => borrowedAmountSf > 0n);
    expect(
      borrows.map((borrow) => ({
        reserve: borrow.borrowReserve,
        borrowedAmountSf: borrow.borrowedAmountSf.toString(),
        marketValueSf: borrow.marketValueSf.toString(),
        borrowFactorAdjustedMarketValueSf: borrow.borrowFactorAdjustedMarketValueSf.toString(),
      })),
    ).toEqual(expected.borrows.map((borrow) => without(borrow, ['symbol'])));
  },
);

type SdkReserve = Record<string, string | number> & {
  estimated: { totalBorrow: string; totalSupply: string };
};
type SdkObligation = {
  address: string;
  elevationGroup: number;
  refreshedStats: Record<string, string>;
};
type ExpectedFile = {
  recentSlotDurationMs: number;
  markets: { reserves: SdkReserve[]; obligations: SdkObligation[] }[];
};

const sdk = readGolden('expected.json') as ExpectedFile;
const now = goldenLending(NEWEST_LENDING_RULES);
const slotMs = { numerator: BigInt(sdk.recentSlotDurationMs), denominator: 1n };

const sdkReserves = sdk.markets.flatMap(({ reserves }) => reserves);
const sdkObligations = sdk.markets.flatMap(({ obligations }) => obligations);

const ofSf = (value: Sf): Ratio => ({ numerator: value, denominator: ONE_SF });

/**
 * Known deviations of the SDK:
 * - The interest since the last refresh is 1.25 times ours at slots of 400 ms because it also scales the rate of the
 *   curve by the slot time when it projects balances.
 * - Values of projected balances deviate accordingly, here by less than 2e-8.
 * - APYs are doubles raised to 63072000, accurate to an absolute 2e-8.
 * - `supplyApr` multiplies the stored utilization by the rate at the projected utilization.
 */
const EXACT = 1e-12;
const PROJECTED = 2e-8;

test.each(sdkReserves)(
  'expected.json: stored values of $symbol $address agree to 12 digits',
  (expected) => {
    const reserve = now.stored.get(addressOf(String(expected['address'])));
    if (reserve === undefined) throw new Error('no such reserve');
    const { liquidity, collateral } = reserve;
    const supply = totalSupply(liquidity);
    const rate = ctokenExchangeRate(reserve);
    const ours: Record<string, Ratio> = {
      totalSupply: ofSf(supply),
      borrowed: ofSf(liquidity.borrowedAmountSf),
      available: { numerator: liquidity.totalAvailableAmount, denominator: 1n },
      protocolFees: ofSf(liquidity.accumulatedProtocolFeesSf),
      referrerFees: ofSf(liquidity.accumulatedReferrerFeesSf),
      pendingReferrerFees: ofSf(liquidity.pendingReferrerFeesSf),
      utilization: ofSf(utilization(liquidity)),
      exchangeRate: {
        numerator: collateral.mintTotalSupply * ONE_SF,
        denominator: rate.totalSupply,
      },
      cumulativeBorrowRate: {
        numerator: liquidity.cumulativeBorrowRateBsf.value,
        denominator: ONE_SF,
      },
      reservePrice: ofSf(liquidity.marketPriceSf),
      borrowFee: ofSf(reserve.config.fees.originationFeeSf),
      flashLoanFee: flashLoanFee(reserve.config.fees.flashLoanFeeSf),
      // at the stored state; the value of the SDK depends on the slot time
      borrowRate: rateWithoutHost(
        reserveRates({ ...reserve, basis: 'legacy' }, slotMs).borrowApr,
        expected['fixedHostRate'],
      ),
    };
    for (const [name, value] of Object.entries(ours)) {
      const error = relativeError(value, parseRatio(expected[name] ?? ''));
      expect(error, `${name} is off by ${error}`).toBeLessThan(EXACT);
    }
  },
);

/** The SDK returns 0 if flash loans are disabled. */
const flashLoanFee = (fee: Sf): Ratio => ofSf(fee === U64_MAX ? ZERO_SF : fee);

/** `borrowRate` of the SDK excludes the host's fixed rate. */
function rateWithoutHost(apr: Ratio, hostRate: string | number | undefined): Ratio {
  const host = parseRatio(hostRate ?? 0);
  const scaled = { numerator: host.numerator * 5n, denominator: host.denominator * 4n };
  return {
    numerator: apr.numerator * scaled.denominator - scaled.numerator * apr.denominator,
    denominator: apr.denominator * scaled.denominator,
  };
}

test.each(sdkReserves)(
  'expected.json: interest of $symbol $address since its refresh is 1.25 times ours',
  (expected) => {
    const address = addressOf(String(expected['address']));
    const stored = now.stored.get(address);
    const refreshed = now.refreshed.get(address);
    if (stored === undefined || refreshed === undefined) throw new Error('no such reserve');
    const before = stored.liquidity.borrowedAmountSf;
    const host = BigInt(stored.config.hostFixedInterestRateBps);
    const theirs = parseRatio(expected.estimated.totalBorrow);
    const ourInterest = refreshed.liquidity.borrowedAmountSf - before;
    const theirInterest = theirs.numerator * ONE_SF - before * theirs.denominator;
    if (ourInterest === 0n) {
      expect(relativeError(theirs, ofSf(before))).toBeLessThan(EXACT);
      return;
    }
    const factor = Number((theirInterest * 1_000_000n) / (theirs.denominator * ourInterest)) / 1e6;
    if (host === 0n) expect(factor).toBeCloseTo(1.25, 3);
    // the host's rate is not scaled, so the factor is in between
    else expect(factor).toSatisfy((f: number) => f > 1 && f < 1.25);
  },
);

test.each(sdkReserves)(
  'expected.json: rates of $symbol $address agree within the precision of the SDK',
  (expected) => {
    const address = addressOf(String(expected['address']));
    const refreshed = now.refreshed.get(address);
    if (refreshed === undefined) throw new Error('no such reserve');
    const rates = reserveRates({ ...refreshed, basis: 'legacy' }, slotMs);
    expect(relativeError(rates.borrowApr, parseRatio(expected['borrowApr'] ?? 0))).toBeLessThan(
      1e-7,
    );
    expect(relativeError(rates.supplyApr, parseRatio(expected['supplyApr'] ?? 0))).toBeLessThan(
      1e-7,
    );
    const apart = (ours: Ratio, theirs: string | number | undefined): number =>
      Math.abs(Number((ours.numerator * 10n ** 20n) / ours.denominator) / 1e20 - Number(theirs));
    expect(apart(rates.borrowApy, expected['borrowApy'])).toBeLessThan(2e-8);
    expect(apart(rates.supplyApy, expected['supplyApy'])).toBeLessThan(2e-8);
  },
);

test.each(sdkObligations)(
  'expected.json: refreshedStats of $address agree except for the projected interest',
  (expected) => {
    const obligation = now.obligations.get(addressOf(expected.address));
    if (obligation === undefined) throw new Error('no such obligation');
    const { market, time, rules } = now.termsOf(obligation.lendingMarket);
    const reserves = new Map(
      [...now.refreshed].map(([address, reserve]) => [
        address,
        reserveAtSlot(reserve, { time, rules, ...accrualTerms(market) }),
      ]),
    );
    const stats = obligationStats(obligation, { market, reserves });
    const ours: Record<string, Ratio | undefined> = {
      borrowLimit: ofSf(stats.borrowLimit),
      borrowLiquidationLimit: ofSf(stats.borrowLiquidationLimit),
      userTotalBorrow: ofSf(stats.userTotalBorrow),
      userTotalBorrowBorrowFactorAdjusted: ofSf(stats.userTotalBorrowBorrowFactorAdjusted),
      userTotalDeposit: ofSf(stats.userTotalDeposit),
      userTotalCollateralDeposit: ofSf(stats.userTotalCollateralDeposit),
      userTotalLiquidatableDeposit: ofSf(stats.userTotalLiquidatableDeposit),
      liquidationLtv: stats.liquidationLtv,
      borrowUtilization: stats.borrowUtilization,
      netAccountValue: stats.netAccountValue,
      leverage: stats.leverage,
      loanToValue: stats.loanToValue,
    };
    for (const [name, value] of Object.entries(ours)) {
      const theirs = expected.refreshedStats[name] ?? '';
      if (theirs === 'NaN' || theirs === 'Infinity') {
        expect(value, name).toBeUndefined();
        continue;
      }
      if (value === undefined) throw new Error(`${name} is undefined, but ${theirs} in the SDK`);
      const error = relativeError(value, parseRatio(theirs));
      // a difference in the debts is a larger part of the net value
      const isLeft = ['netAccountValue', 'leverage'].includes(name);
      const lever = isLeft ? Number(expected.refreshedStats['leverage']) : 1;
      expect(error, `${name} is off by ${error}`).toBeLessThan(PROJECTED * lever);
    }
  },
);

const without = (record: Record<string, unknown>, names: string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
