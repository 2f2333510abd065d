import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  exampleLendingContext,
  exampleReserve,
  NOW,
  SLOT,
} from '../../../../../../../test/support/lending/lending-accounts.ts';
import { releaseRules } from '../../../../../../../test/support/lending/release-rules.ts';
import {
  LEGACY,
  TRUE_APR,
  vectorMarket,
  vectorReserve,
  vectorTime,
  withBasis,
  withTimestamp,
} from '../../../../../../../test/support/lending/vector-reserve.ts';
import { assertProperty } from '../../../../../../../test/support/properties/assert-property.ts';
import {
  referenceCurve,
  referenceRefresh,
} from '../../../../../../../test/support/reference/reference-accrual.ts';
import { toLamports } from '../../../../base/numbers/lamports.ts';
import { sfFromBits, sfFromInt } from '../../../../base/numbers/scaled-fraction.ts';
import { toSlot, toUnixSeconds } from '../../../../base/time.ts';
import type { Reserve } from '../../layout/reserve.ts';
import { NEWEST_LENDING_RULES } from '../../releases.ts';
import { accrueReserveToSlot, refreshReserve } from './refresh-reserve.ts';

const laterContext = (reserveRewardsMaxAprBps = 0) => {
  const { market, rules } = exampleLendingContext();
  return {
    market: { ...market, reserveRewardsMaxAprBps },
    rules,
    time: { slot: toSlot(SLOT + 100n), unix: NOW },
  };
};

const fresh = { price: { price: sfFromInt(2n), unix: NOW }, twap: undefined };

const withConfig = (config: Partial<Reserve['config']>): Reserve => {
  const reserve = exampleReserve();
  return { ...reserve, config: { ...reserve.config, ...config } };
};

test('a refresh distributes rewards of the elapsed slots', () => {
  const { liquidity, ...rest } = withConfig({ rewardsAmountPerAccrualUnit: toLamports(3n) });
  const rewarded = {
    ...rest,
    liquidity: { ...liquidity, rewardsAmountAvailable: toLamports(1_000n) },
  };
  const refreshed = refreshReserve(rewarded, laterContext(10_000), fresh).liquidity;
  expect(refreshed.totalAvailableAmount).toBe(10n ** 12n + 300n);
  expect(refreshed.rewardsAmountAvailable).toBe(700n);
  const disabled = refreshReserve(rewarded, laterContext(0), fresh).liquidity;
  expect(disabled.rewardsAmountAvailable).toBe(1_000n);
});

test('in emergency mode the price is not loaded and loses its checks and its time', () => {
  const usual = refreshReserve(withConfig({}), laterContext(), fresh);
  expect(usual.lastUpdate.priceStatus).toBe(63);
  const stored = exampleReserve().liquidity.marketPriceSf;
  const { lastUpdate, liquidity } = refreshReserve(
    withConfig({ emergencyMode: 1 }),
    laterContext(),
    { ...fresh, price: { ...fresh.price, unix: toUnixSeconds(NOW) } },
  );
  expect(lastUpdate).toMatchObject({ slot: SLOT + 100n, stale: 0, priceStatus: 0 });
  expect(liquidity.marketPriceSf).toBe(stored);
  expect(liquidity.marketPriceLastUpdatedTs).toBe(0n);
});

const vectorContext = (slots: bigint, seconds: bigint, market = vectorMarket()) => ({
  market,
  time: vectorTime(slots, seconds),
  rules: NEWEST_LENDING_RULES,
});

const amounts = ({ liquidity }: Reserve) => ({
  available: liquidity.totalAvailableAmount,
  rewards: liquidity.rewardsAmountAvailable,
  debt: liquidity.borrowedAmountSf,
  cumulative: liquidity.cumulativeBorrowRateBsf.value,
  protocolFees: liquidity.accumulatedProtocolFeesSf,
  pendingFees: liquidity.pendingReferrerFeesSf,
  referralRate: liquidity.absoluteReferralRateSf,
});

test('slots within a second charge nothing per second, but are stored', () => {
  const reserve = vectorReserve(TRUE_APR);
  const after = accrueReserveToSlot(reserve, vectorContext(3n, 0n));
  expect(amounts(after)).toEqual(amounts(reserve));
  expect(after.lastUpdate).toMatchObject({ slot: 400_000_003n, timestamp: 1_790_000_000 });
});

test('the first refresh of an account without a time charges nothing per second and stores the time', () => {
  const reserve = withTimestamp(vectorReserve(TRUE_APR), 0n);
  const after = accrueReserveToSlot(reserve, vectorContext(9_000n, 3_600n));
  expect(amounts(after)).toEqual(amounts(reserve));
  expect(after.lastUpdate).toMatchObject({ slot: 400_009_000n, timestamp: 1_790_003_600 });
});

test('both bases store the time, release 1.24 does not', () => {
  const reserve = vectorReserve(LEGACY);
  const context = vectorContext(9_000n, 3_600n);
  expect(accrueReserveToSlot(reserve, context).lastUpdate.timestamp).toBe(1_790_003_600);
  const before = { ...context, rules: releaseRules('1.24') };
  expect(accrueReserveToSlot(reserve, before).lastUpdate).toMatchObject({
    slot: 400_009_000n,
    timestamp: 1_790_000_000,
  });
});

test('a reserve that is switched to seconds is charged per slot until then', () => {
  const refreshed = accrueReserveToSlot(vectorReserve(LEGACY), vectorContext(9_000n, 3_600n));
  const after = accrueReserveToSlot(withBasis(refreshed, TRUE_APR), vectorContext(18_000n, 7_200n));
  expect(amounts(after)).toEqual({
    available: 9_332_410_535_131n,
    rewards: 4_999_848_800n,
    debt: 73607376994003173838406241497745n,
    cumulative: 1423427756906655824n,
    protocolFees: 325480073139411869939042874n,
    pendingFees: 69265957785627559381096820n,
    referralRate: 23058430092136939n,
  });
});

test('a clock that went back charges nothing, and time counts again from there', () => {
  const market = { ...vectorMarket(), referralFeeBps: 0, reserveRewardsMaxAprBps: 0 };
  const reserve = withTimestamp(vectorReserve(TRUE_APR), 1_790_000_005n);
  const back = accrueReserveToSlot(reserve, vectorContext(10n, 2n, market));
  expect(amounts(back)).toEqual(amounts(reserve));
  expect(back.lastUpdate).toMatchObject({ slot: 400_000_010n, timestamp: 1_790_000_002 });
  const later = accrueReserveToSlot(back, vectorContext(40n, 12n, market));
  expect(amounts(later)).toMatchObject({
    debt: 73603870766624512719364343464450n,
    cumulative: 1423359953086215124n,
    protocolFees: 1638818789563441416974437n,
  });
});

test.each([
  ['1.24', [0, 0, 0, 0]],
  ['1.25', [1, 0, 0, 0]],
])('a refresh of release %s sets the reserved bytes to zero', (version, expected) => {
  const { config, ...rest } = vectorReserve(TRUE_APR);
  const reserved = { ...rest, config: { ...config, reserved1: Uint8Array.of(7, 8, 9) } };
  const context = { ...vectorContext(1n, 1n), rules: releaseRules(version) };
  const after = accrueReserveToSlot(reserved, context).config;
  expect([after.interestRateBasis, ...after.reserved1]).toEqual(expected);
});

const elapsed = fc.record({ slots: fc.bigInt(0n, 100_000n), seconds: fc.bigInt(-5n, 40_000n) });

test('property: a switch at any time charges slots before it, seconds after it, and nothing else', () => {
  assertProperty(
    fc.property(elapsed, elapsed, (before, since) => {
      const [first, second] = [
        vectorContext(before.slots, before.seconds),
        vectorContext(before.slots + since.slots, before.seconds + since.seconds),
      ];
      const refreshed = accrueReserveToSlot(vectorReserve(LEGACY), first);
      const after = accrueReserveToSlot(withBasis(refreshed, TRUE_APR), second);
      const expected = referenceRefresh(
        withBasis(referenceRefresh(vectorReserve(LEGACY), first.time, first.market), TRUE_APR),
        second.time,
        second.market,
      );
      expect(amounts(after)).toEqual(amounts(expected));
      // no second after the switch: whatever slots pass, nothing is charged
      if (since.seconds <= 0n) expect(amounts(after)).toEqual(amounts(refreshed));
    }),
    100,
  );
});

test.each([LEGACY, TRUE_APR])(
  'property: refreshes in between raise the debt of a reserve with the basis %i, never above its last rate',
  (basis) => {
    const market = { ...vectorMarket(), reserveRewardsMaxAprBps: 0 };
    const steps = fc.array(fc.bigInt(0n, 50_000n), { minLength: 2, maxLength: 8 });
    assertProperty(
      fc.property(steps, (lengths) => {
        let [reserve, units] = [vectorReserve(basis), 0n];
        for (const length of lengths) {
          units += length;
          reserve = accrueReserveToSlot(reserve, vectorContext(units, units, market));
        }
        const once = accrueReserveToSlot(vectorReserve(basis), vectorContext(units, units, market));
        const { borrowedAmountSf: before } = vectorReserve(basis).liquidity;
        const [debt, onceDebt] = [amounts(reserve).debt, amounts(once).debt];
        // of the growth: n/2 + n/3 units of 2^-60 in each refresh, and one in each product
        const truncation = (before * 2n * (units + 3n * BigInt(lengths.length))) >> 60n;
        expect(onceDebt - debt).toBeLessThanOrEqual(truncation);
        expect(debt).toBeLessThanOrEqual(grownEveryUnit(before, rateOf(reserve), { basis, units }));
      }),
      50,
    );
  },
);

/** The yearly rate of borrowers, in 60 bits. */
function rateOf({ liquidity, config }: Reserve): bigint {
  const fees = liquidity.accumulatedProtocolFeesSf + liquidity.pendingReferrerFeesSf;
  const supply = (liquidity.totalAvailableAmount << 60n) + liquidity.borrowedAmountSf - fees;
  const host = (BigInt(config.hostFixedInterestRateBps) << 60n) / 10_000n;
  return referenceCurve(config, (liquidity.borrowedAmountSf << 60n) / supply) + host;
}

/** A debt compounded in every unit, rounded up. */
function grownEveryUnit(
  debt: bigint,
  rate: bigint,
  { basis, units }: { readonly basis: number; readonly units: bigint },
): bigint {
  const one = 1n << 200n;
  const times = (a: bigint, b: bigint): bigint => ((a * b) >> 200n) + 1n;
  const perYear = basis === LEGACY ? 63_072_000n : 31_536_000n;
  let [growth, base] = [one, one + ((rate / perYear + 1n) << 140n)];
  for (let rest = units; rest > 0n; rest /= 2n) {
    if (rest % 2n === 1n) growth = times(growth, base);
    base = times(base, base);
  }
  return times(debt, growth);
}

const STORED_PRICE = 1_210_567_579_837_189_324n;

/** A stored price of 1.05 of a time ago, with all checks, and a reserve that accepts prices of 60 seconds. */
function storedPrice(ageSeconds: bigint): Reserve {
  const { liquidity, ...rest } = exampleReserve();
  return {
    ...rest,
    liquidity: {
      ...liquidity,
      marketPriceSf: sfFromBits(STORED_PRICE),
      marketPriceLastUpdatedTs: toUnixSeconds(NOW - ageSeconds),
    },
  };
}

const zero = { price: { price: sfFromBits(0n), unix: NOW }, twap: undefined };
const none = { price: undefined, twap: undefined };

test.each([
  ['no reading', none],
  ['a price that rounds to zero', zero],
])('%s leaves the stored price, which loses its checks when it is too old', (_, reading) => {
  const recent = refreshReserve(storedPrice(30n), laterContext(), reading);
  expect(recent.lastUpdate.priceStatus).toBe(63);
  expect(recent.liquidity).toMatchObject({
    marketPriceSf: STORED_PRICE,
    marketPriceLastUpdatedTs: NOW - 30n,
  });
  const old = refreshReserve(storedPrice(60n), laterContext(), reading);
  expect(old.lastUpdate.priceStatus).toBe(0);
  expect(old.liquidity).toMatchObject({
    marketPriceSf: STORED_PRICE,
    marketPriceLastUpdatedTs: NOW - 60n,
  });
});

test('before release 1.25 a price of zero is loaded', () => {
  const context = { ...laterContext(), rules: releaseRules('1.24') };
  const { liquidity } = refreshReserve(storedPrice(30n), context, zero);
  expect(liquidity).toMatchObject({ marketPriceSf: 0n, marketPriceLastUpdatedTs: NOW });
});
