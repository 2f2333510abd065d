import { bsfFromBits } from '#core/base/numbers/big-scaled-fraction.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { sfFromBits, sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import type { LendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import type { Reserve } from '#core/protocol/klend/layout/reserve.ts';
import { curve, emptyMarket, exampleReserve } from './lending-accounts.ts';

export const VECTOR_SLOT = 400_000_000n;
export const VECTOR_UNIX = 1_790_000_000n;

/** The values of `config.interestRateBasis`. */
export const LEGACY = 0;
export const TRUE_APR = 1;

/**
 * The reserve of the vectors of release 1.25: 9332410383931 available, about 63841177511814 borrowed, a curve of 0 %, 6 % at
 * 80 % and 40 % at 100 %, a host rate of 25 bps, a take rate of 10 %, 12 lamports of rewards per unit.
 */
export function vectorReserve(interestRateBasis = LEGACY): Reserve {
  const base = exampleReserve();
  const { cumulativeBorrowRateBsf } = base.liquidity;
  return {
    ...base,
    lastUpdate: {
      ...base.lastUpdate,
      slot: toSlot(VECTOR_SLOT),
      timestamp: Number(VECTOR_UNIX),
    },
    liquidity: {
      ...base.liquidity,
      totalAvailableAmount: toLamports(9_332_410_383_931n),
      borrowedAmountSf: sfFromBits((63_841_177_511_814n << 60n) + 123_456_789n),
      accumulatedProtocolFeesSf: sfFromInt(1_000_000n),
      cumulativeBorrowRateBsf: {
        ...cumulativeBorrowRateBsf,
        value: bsfFromBits((1_234_567_890n << 60n) / 10n ** 9n),
      },
      rewardsAmountAvailable: toLamports(5_000_000_000n),
      marketPriceLastUpdatedTs: toUnixSeconds(VECTOR_UNIX),
    },
    collateral: { ...base.collateral, mintTotalSupply: 60_000_000_000_000n },
    config: {
      ...base.config,
      hostFixedInterestRateBps: 25,
      protocolTakeRatePct: 10,
      borrowRateCurve: curve([
        [0, 0],
        [8000, 600],
        [10000, 4000],
      ]),
      rewardsAmountPerAccrualUnit: toLamports(12n),
      interestRateBasis,
    },
  };
}

/** 20 % of the protocol's interest for referrers, rewards of at most 3 % a year. */
export const vectorMarket = (): LendingMarket => ({
  ...emptyMarket(),
  referralFeeBps: 2000,
  reserveRewardsMaxAprBps: 300,
});

/** Slots and seconds after the last update of the reserve. */
export const vectorTime = (slots: bigint, seconds: bigint) => ({
  slot: toSlot(VECTOR_SLOT + slots),
  unix: toUnixSeconds(VECTOR_UNIX + seconds),
});

export const withBasis = (reserve: Reserve, interestRateBasis: number): Reserve => ({
  ...reserve,
  config: { ...reserve.config, interestRateBasis },
});

export const withTimestamp = (reserve: Reserve, timestamp: bigint): Reserve => ({
  ...reserve,
  lastUpdate: { ...reserve.lastUpdate, timestamp: Number(timestamp) },
});
