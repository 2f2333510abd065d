import { expect, test } from 'vitest';
import { catchError } from '../../../../../../../test/support/errors/catch-error.ts';
import {
  exampleObligation,
  MARKET,
  USDC_RESERVE,
} from '../../../../../../../test/support/lending/lending-accounts.ts';
import { releaseRules } from '../../../../../../../test/support/lending/release-rules.ts';
import {
  LEGACY,
  TRUE_APR,
  VECTOR_SLOT,
  VECTOR_UNIX,
  vectorMarket,
  vectorReserve,
  vectorTime,
} from '../../../../../../../test/support/lending/vector-reserve.ts';
import { bsfFromBits, ONE_BSF } from '../../../../base/numbers/big-scaled-fraction.ts';
import { sfFromBits, sfFromInt } from '../../../../base/numbers/scaled-fraction.ts';
import { toSlot } from '../../../../base/time.ts';
import { NEWEST_LENDING_RULES } from '../../releases.ts';
import { refreshBorrows } from './refresh-borrows.ts';

/** A debt of 10^12 lamports that grew to this in 9000 slots and 3600 seconds. */
const GROWN = 1_152_931_046_519_501_608_000_000_000_000n;
/** The growth of the host's 25 bps over 3600 seconds alone, in 60 bits. */
const HOST_GROWTH = 1_152_921_833_637_000_963n;

type Share = {
  readonly basis: number;
  readonly timestamp?: bigint;
  readonly rate?: bigint;
  readonly rules?: typeof NEWEST_LENDING_RULES;
  readonly referralRate?: bigint;
};

/** The fees that a refresh of the loan moves out of the pending ones. */
function share({ basis, timestamp = VECTOR_UNIX, rate, rules, referralRate }: Share): bigint {
  const { liquidity, ...rest } = vectorReserve(basis);
  const time = vectorTime(9_000n, 3_600n);
  const pending = sfFromBits(1n << 100n);
  const reserve = {
    ...rest,
    lastUpdate: { ...rest.lastUpdate, slot: time.slot, timestamp: Number(time.unix) },
    liquidity: {
      ...liquidity,
      cumulativeBorrowRateBsf: {
        ...liquidity.cumulativeBorrowRateBsf,
        value: bsfFromBits(rate ?? GROWN / 10n ** 12n),
      },
      pendingReferrerFeesSf: pending,
      absoluteReferralRateSf: sfFromBits(referralRate ?? 23_058_430_092_136_939n),
    },
  };
  const example = exampleObligation();
  const obligation = {
    ...example,
    referrer: MARKET,
    lastUpdate: {
      ...example.lastUpdate,
      slot: toSlot(VECTOR_SLOT),
      timestamp: Number(timestamp),
    },
    borrows: example.borrows.map((borrow, i) =>
      i === 0
        ? {
            ...borrow,
            borrowedAmountSf: sfFromInt(10n ** 12n),
            cumulativeBorrowRateBsf: {
              ...borrow.cumulativeBorrowRateBsf,
              value: bsfFromBits(ONE_BSF),
            },
          }
        : borrow,
    ),
  };
  const context = { market: vectorMarket(), time, rules: rules ?? NEWEST_LENDING_RULES };
  const reserves = new Map([[USDC_RESERVE, reserve]]);
  const after = refreshBorrows({ obligation, reserves }, context, undefined);
  const left = after.reserves.get(USDC_RESERVE)?.liquidity.pendingReferrerFeesSf ?? 0n;
  expect(after.referrerFees.get(USDC_RESERVE) ?? 0n).toBe(pending - left);
  return pending - left;
}

test('the fixed part of the interest follows the basis of the reserve', () => {
  expect(share({ basis: TRUE_APR })).toBe(184_257_650_012_899_995_844_731n);
  expect(share({ basis: LEGACY })).toBe(182_612_498_972_799_995_881_831n);
});

test('before release 1.25 it is counted in slots', () => {
  const rules = releaseRules('1.24');
  expect(share({ basis: TRUE_APR, rules })).toBe(182_612_498_972_799_995_881_831n);
});

test('a loan that was never refreshed with a time has no fixed part', () => {
  expect(share({ basis: TRUE_APR, timestamp: 0n })).toBe(190_838_253_092_639_995_696_329n);
});

test('a debt that grew by the fixed part only has no share per second, and fails per slot', () => {
  expect(share({ basis: TRUE_APR, rate: HOST_GROWTH })).toBe(0n);
  const perSlot = catchError(() => share({ basis: LEGACY, rate: HOST_GROWTH }));
  expect(perSlot?.context).toMatchObject({
    name: 'CannotCalculateReferralAmountDueToSlotsMismatch',
    code: 6111,
  });
});

test('without a referral rate nothing is computed, so nothing fails', () => {
  expect(share({ basis: LEGACY, rate: HOST_GROWTH, referralRate: 0n })).toBe(0n);
});
