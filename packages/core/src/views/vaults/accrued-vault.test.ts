import { expect, test } from 'vitest';
import { toLamports } from '../../base/numbers/lamports.ts';
import { sfFromBits, sfFromInt, ZERO_SF } from '../../base/numbers/scaled-fraction.ts';
import { toUnixSeconds } from '../../base/time.ts';
import { accrueVault } from './accrued-vault.ts';

const CHARGED_AT = toUnixSeconds(1_760_000_000n);
const DAY = 86_400n;
const AUM = 8_975_157_630_866_870_703_900_964n;
const PENDING = 1_153_209_738_162_455_296_000n;

const NO_REWARDS = {
  rewardPerSecond: 0n,
  rewardsAvailable: toLamports(0n),
  lastIssuanceTs: toUnixSeconds(0n),
  cumulativeRewardsDistributedAnalytics: toLamports(0n),
  padding: new Uint8Array(),
};

/** The worked example of the protocol's documentation: 1% and 10% of fees, 1000.25 lamports pending. */
const vaultOf = (prevAum: bigint, changes: object = {}) => ({
  totalHoldings: sfFromBits(AUM + PENDING),
  fields: {
    rewardInfo: NO_REWARDS,
    lastFeeChargeTimestamp: CHARGED_AT,
    prevAumSf: sfFromInt(prevAum),
    managementFeeBps: 100n,
    performanceFeeBps: 1_000n,
    pendingFeesSf: sfFromBits(PENDING),
    cumulativeEarnedInterestSf: sfFromInt(5n),
    cumulativeMgmtFeesSf: sfFromInt(6n),
    cumulativePerfFeesSf: sfFromInt(7n),
    ...changes,
  },
});

const DAY_LATER = toUnixSeconds(CHARGED_AT + DAY);

test('after a loss only the management fee of a day is pending: 219.032741022 of eight million', () => {
  expect(accrueVault(vaultOf(8_000_000n), DAY_LATER)).toEqual({
    heldSf: AUM + PENDING,
    pendingFeesSf: PENDING + 252_527_557_336_936_000_000n,
    cumulativeEarnedInterestSf: sfFromInt(5n),
    cumulativeMgmtFeesSf: sfFromInt(6n) + 252_527_557_336_936_000_000n,
    cumulativePerfFeesSf: sfFromInt(7n),
  });
});

test('a gain since the last charge is interest, and a tenth of it a fee', () => {
  expect(accrueVault(vaultOf(7_000_000n), DAY_LATER)).toMatchObject({
    pendingFeesSf: PENDING + 90_691_671_474_564_005_719_271n,
    cumulativeEarnedInterestSf: sfFromInt(5n) + 904_707_098_618_941_871_900_964n,
    cumulativePerfFeesSf: sfFromInt(7n) + 90_470_709_861_894_186_719_271n,
  });
});

test('rewards that the program would issue are assets and interest, at most those that remain', () => {
  const rewardInfo = { ...NO_REWARDS, rewardPerSecond: 2n, lastIssuanceTs: CHARGED_AT };
  const accruedWith = (rewardsAvailable: bigint) =>
    accrueVault(
      vaultOf(7_000_000n, {
        rewardInfo: { ...rewardInfo, rewardsAvailable: toLamports(rewardsAvailable) },
      }),
      DAY_LATER,
    );
  const all = accruedWith(1_000_000n);
  expect(all.heldSf).toBe(AUM + PENDING + sfFromInt(2n * DAY));
  expect(all.cumulativeEarnedInterestSf).toBe(
    sfFromInt(5n + 2n * DAY) + 904_707_098_618_941_871_900_964n,
  );
  expect(accruedWith(30n).heldSf).toBe(AUM + PENDING + sfFromInt(30n));
});

test('a vault whose fee clock has not started accrues nothing', () => {
  const vault = vaultOf(0n, { lastFeeChargeTimestamp: 0n, pendingFeesSf: ZERO_SF });
  expect(accrueVault(vault, DAY_LATER)).toMatchObject({
    pendingFeesSf: 0n,
    cumulativeEarnedInterestSf: sfFromInt(5n),
  });
});
