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
} from '../../../../../../../test/support/lending/lending-accounts.ts';
import { bsfFromBits, ONE_BSF } from '../../../../base/numbers/big-scaled-fraction.ts';
import { toLamports } from '../../../../base/numbers/lamports.ts';
import {
  addSf,
  formatSf,
  ONE_SF,
  sfFromBits,
  sfFromInt,
} from '../../../../base/numbers/scaled-fraction.ts';
import { toSlot, toUnixSeconds } from '../../../../base/time.ts';
import { totalSupply } from '../../math/supply.ts';
import { refreshObligation } from './refresh-obligation.ts';
import { accrueReserveToSlot, refreshReserve } from './refresh-reserve.ts';

const refreshed = () =>
  refreshObligation(
    { obligation: exampleObligation(), reserves: exampleReserves() },
    exampleLendingContext(),
  );

test('computes the reference example', () => {
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

test('counts the debt outside groups, rounded up', () => {
  const { obligation, reserves } = refreshed();
  expect(obligation.borrows[0]?.borrowedAmountOutsideElevationGroups).toBe(100_000_001n);
  expect(reserves.get(USDC_RESERVE)?.borrowedAmountOutsideElevationGroup).toBe(100_000_001n);
});

test('the limit of the market caps the allowed debt', () => {
  const context = exampleLendingContext();
  const market = { ...context.market, globalAllowedBorrowValue: 200n };
  const position = { obligation: exampleObligation(), reserves: exampleReserves() };
  const { obligation } = refreshObligation(position, { ...context, market });
  expect(obligation.allowedBorrowValueSf).toBe(sfFromInt(200n));
});

test('the price checks of the obligation are those that all its reserves pass', () => {
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

test('a reserve that was not refreshed in this slot throws', () => {
  const time = { slot: toSlot(SLOT + 1n), unix: NOW };
  const position = { obligation: exampleObligation(), reserves: exampleReserves() };
  expect(() => refreshObligation(position, { ...exampleLendingContext(), time })).toThrow(
    /ReserveStale/,
  );
});

test('a missing reserve throws', () => {
  const reserves = new Map([[SOL_RESERVE, exampleSolReserve()]]);
  const position = { obligation: exampleObligation(), reserves };
  expect(() => refreshObligation(position, exampleLendingContext())).toThrow(/InvalidAccountInput/);
});

/** A debt with pending referrer fees. */
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

test('without a referrer the referrer share goes to the protocol and the supply does not change', () => {
  const position = indebted(undefined);
  const after = refreshObligation(position, exampleLendingContext()).reserves.get(USDC_RESERVE);
  const before = position.reserves.get(USDC_RESERVE);
  if (before === undefined || after === undefined) throw new Error('no reserve');
  // a quarter of the interest on 100000000.5
  const share = sfFromBits((100_000_000n * ONE_SF + ONE_SF / 2n) / 4n);
  expect(after.liquidity.accumulatedProtocolFeesSf).toBe(
    addSf(before.liquidity.accumulatedProtocolFeesSf, share),
  );
  expect(totalSupply(after.liquidity)).toBe(totalSupply(before.liquidity));
});

test('reports the share of the referrer, at most the pending fees', () => {
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

test('a refresh without a new price keeps the price checks until the price is too old', () => {
  const later = (seconds: bigint) => ({
    ...exampleLendingContext(),
    time: { slot: SLOT, unix: toUnixSeconds(NOW + seconds) },
  });
  expect(accrueReserveToSlot(exampleReserve(), later(59n)).lastUpdate.priceStatus).toBe(63);
  expect(accrueReserveToSlot(exampleReserve(), later(60n)).lastUpdate.priceStatus).toBe(0);
});

test('crossed limits are marked with the time of the first refresh above them', () => {
  const reserve = exampleReserve();
  const over = {
    ...reserve,
    config: { ...reserve.config, depositLimit: toLamports(1n), borrowLimit: toLamports(1n) },
  };
  const oracle = { price: undefined, twap: undefined };
  const first = refreshReserve(over, exampleLendingContext(), oracle);
  expect(first.liquidity.depositLimitCrossedTimestamp).toBe(NOW);
  expect(first.liquidity.borrowLimitCrossedTimestamp).toBe(NOW);
  const time = { slot: SLOT, unix: toUnixSeconds(NOW + 5n) };
  const second = refreshReserve(first, { ...exampleLendingContext(), time }, oracle);
  expect(second.liquidity.depositLimitCrossedTimestamp).toBe(NOW);
  const back = refreshReserve(
    { ...second, config: reserve.config },
    exampleLendingContext(),
    oracle,
  );
  expect(back.liquidity.depositLimitCrossedTimestamp).toBe(0n);
});
