import { expect, test } from 'vitest';
import {
  exampleLendingContext,
  exampleObligation,
  exampleReserve,
  exampleReserves,
  exampleSolReserve,
  MARKET,
  NOW,
  SLOT,
  SOL_RESERVE,
  USDC_RESERVE,
} from '../../../../../../test/support/lending/lending-accounts.ts';
import { bsfFromBits, ONE_BSF } from '../../../base/numbers/big-scaled-fraction.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import {
  addSf,
  formatSf,
  ONE_SF,
  sfFromBits,
  sfFromInt,
} from '../../../base/numbers/scaled-fraction.ts';
import { toSlot, toUnixSeconds } from '../../../base/time.ts';
import { totalSupply } from '../math/supply.ts';
import { refreshObligation } from './refresh-obligation.ts';
import { accrueReserveToSlot, refreshReserve } from './refresh-reserve.ts';

const refreshed = () =>
  refreshObligation(
    { obligation: exampleObligation(), reserves: exampleReserves() },
    exampleLendingContext(),
  );

test('the example of the programs’ mathematics', () => {
  const { obligation } = refreshed();
  const [sol, usdc] = obligation.deposits;
  expect(Number(formatSf(sol?.marketValueSf ?? sfFromBits(0n)))).toBeCloseTo(359.99994, 7);
  expect(Number(formatSf(usdc?.marketValueSf ?? sfFromBits(0n)))).toBeCloseTo(74.99995, 7);
  expect(formatSf(obligation.borrowedAssetsMarketValueSf, 10)).toBe('100.0000004');
  expect(Number(formatSf(obligation.allowedBorrowValueSf))).toBeCloseTo(322.6499181, 7);
  expect(Number(formatSf(obligation.unhealthyBorrowValueSf))).toBeCloseTo(347.999912, 7);
  expect(obligation).toMatchObject({
    hasDebt: 1,
    lowestReserveDepositLiquidationLtv: 80n,
    lowestReserveDepositMaxLtvPct: 74,
    highestBorrowFactorPct: 100n,
    lastUpdate: { slot: SLOT, stale: 0, priceStatus: 63 },
  });
});

test('the debt is counted outside of groups, rounded up', () => {
  const { obligation, reserves } = refreshed();
  expect(obligation.borrows[0]?.borrowedAmountOutsideElevationGroups).toBe(100_000_001n);
  expect(reserves.get(USDC_RESERVE)?.borrowedAmountOutsideElevationGroup).toBe(100_000_001n);
});

test('allowed debt ends at the market’s own limit', () => {
  const terms = exampleLendingContext();
  const market = { ...terms.market, globalAllowedBorrowValue: 200n };
  const position = { obligation: exampleObligation(), reserves: exampleReserves() };
  const { obligation } = refreshObligation(position, { ...terms, market });
  expect(obligation.allowedBorrowValueSf).toBe(sfFromInt(200n));
});

test('price checks of the obligation are those that all of its reserves pass', () => {
  const sol = exampleSolReserve();
  const reserves = exampleReserves().set(SOL_RESERVE, {
    ...sol,
    lastUpdate: { ...sol.lastUpdate, priceStatus: 63 - 4 },
  });
  const { obligation } = refreshObligation(
    { obligation: exampleObligation(), reserves },
    exampleLendingContext(),
  );
  expect(obligation.lastUpdate.priceStatus).toBe(63 - 4);
});

test('a reserve that was not refreshed in this slot is refused', () => {
  const time = { slot: toSlot(SLOT + 1n), unix: NOW };
  const position = { obligation: exampleObligation(), reserves: exampleReserves() };
  expect(() => refreshObligation(position, { ...exampleLendingContext(), time })).toThrow(
    /ReserveStale/,
  );
});

test('a missing reserve is refused', () => {
  const reserves = new Map([[SOL_RESERVE, exampleSolReserve()]]);
  const position = { obligation: exampleObligation(), reserves };
  expect(() => refreshObligation(position, exampleLendingContext())).toThrow(/InvalidAccountInput/);
});

/** A debt whose interest has a pending part for referrers. */
function indebted(referrer: typeof MARKET | undefined) {
  const usdc = exampleReserve();
  const { cumulativeBorrowRateBsf } = usdc.liquidity;
  const reserve = {
    ...usdc,
    config: { ...usdc.config, hostFixedInterestRateBps: 0 },
    liquidity: {
      ...usdc.liquidity,
      cumulativeBorrowRateBsf: { ...cumulativeBorrowRateBsf, value: bsfFromBits(2n * ONE_BSF) },
      absoluteReferralRateSf: sfFromBits(ONE_SF / 4n),
      pendingReferrerFeesSf: sfFromInt(40_000_000n),
    },
  };
  const obligation = exampleObligation();
  return {
    obligation: referrer === undefined ? obligation : { ...obligation, referrer },
    reserves: exampleReserves().set(USDC_RESERVE, reserve),
  };
}

test('without a referrer its share of the interest goes to the protocol, and the supply stays', () => {
  const position = indebted(undefined);
  const after = refreshObligation(position, exampleLendingContext()).reserves.get(USDC_RESERVE);
  const before = position.reserves.get(USDC_RESERVE);
  if (before === undefined || after === undefined) throw new Error('no reserve');
  // a quarter of the interest of 100000000.5
  const share = sfFromBits((100_000_000n * ONE_SF + ONE_SF / 2n) / 4n);
  expect(after.liquidity.accumulatedProtocolFeesSf).toBe(
    addSf(before.liquidity.accumulatedProtocolFeesSf, share),
  );
  expect(totalSupply(after.liquidity)).toBe(totalSupply(before.liquidity));
});

test('a referrer’s share is reported, and is at most what is pending', () => {
  const position = indebted(MARKET);
  const { referrerFees } = refreshObligation(position, exampleLendingContext());
  expect(referrerFees.get(USDC_RESERVE)).toBe((100_000_000n * ONE_SF + ONE_SF / 2n) / 4n);
  const usdc = position.reserves.get(USDC_RESERVE);
  if (usdc === undefined) throw new Error('no reserve');
  const poor = { ...usdc, liquidity: { ...usdc.liquidity, pendingReferrerFeesSf: sfFromInt(3n) } };
  const reserves = new Map(position.reserves).set(USDC_RESERVE, poor);
  expect(
    refreshObligation({ ...position, reserves }, exampleLendingContext()).referrerFees.get(
      USDC_RESERVE,
    ),
  ).toBe(sfFromInt(3n));
});

test('a refresh without a new price keeps the checks until the price is too old', () => {
  const later = (seconds: bigint) => ({
    ...exampleLendingContext(),
    time: { slot: SLOT, unix: toUnixSeconds(NOW + seconds) },
  });
  expect(accrueReserveToSlot(exampleReserve(), later(59n)).lastUpdate.priceStatus).toBe(63);
  expect(accrueReserveToSlot(exampleReserve(), later(60n)).lastUpdate.priceStatus).toBe(0);
});

test('limits that are crossed are marked with the time when that was first seen', () => {
  const reserve = exampleReserve();
  const over = {
    ...reserve,
    config: { ...reserve.config, depositLimit: toLamports(1n), borrowLimit: toLamports(1n) },
  };
  const oracle = { price: undefined, twap: undefined };
  const once = refreshReserve(over, exampleLendingContext(), oracle);
  expect(once.liquidity.depositLimitCrossedTimestamp).toBe(NOW);
  expect(once.liquidity.borrowLimitCrossedTimestamp).toBe(NOW);
  const time = { slot: SLOT, unix: toUnixSeconds(NOW + 5n) };
  const again = refreshReserve(once, { ...exampleLendingContext(), time }, oracle);
  expect(again.liquidity.depositLimitCrossedTimestamp).toBe(NOW);
  const back = refreshReserve(
    { ...again, config: reserve.config },
    exampleLendingContext(),
    oracle,
  );
  expect(back.liquidity.depositLimitCrossedTimestamp).toBe(0n);
});
