import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import {
  addSf,
  divSfByInt,
  minSf,
  mulSf,
  mulSfByInt,
  type Sf,
  sfFromBps,
  subSf,
  subSfToZero,
} from '../../../base/numbers/scaled-fraction.ts';
import type { UnixSeconds } from '../../../base/time.ts';
import type { VaultStateView } from '../layout/vault-state.ts';

/** The program's year: 365.242199 days, rounded up to a second. */
const SECONDS_PER_YEAR = 31_556_926n;

/** In lamports with fractions. `fees` is the charged amount, at most the AUM. */
export type FeeCharge = {
  readonly earnedInterest: Sf;
  readonly mgmtCharge: Sf;
  readonly perfCharge: Sf;
  readonly fees: Sf;
  /** The AUM after fees, which the next charge compares with. */
  readonly aum: Sf;
};

/**
 * Fees for the seconds since the last charge. The management fee applies to the AUM of the last charge, with its yearly
 * rate truncated to 60 bits first. The performance fee applies to the gain since then. Every step rounds down.
 */
export function feeCharge(
  vault: Pick<VaultStateView, 'prevAumSf' | 'managementFeeBps' | 'performanceFeeBps'>,
  aum: Sf,
  seconds: bigint,
): FeeCharge {
  const { prevAumSf, managementFeeBps, performanceFeeBps } = vault;
  const mgmtRate = divSfByInt(mulSfByInt(sfFromBps(managementFeeBps), seconds), SECONDS_PER_YEAR);
  const mgmtCharge = mulSf(prevAumSf, mgmtRate);
  const earnedInterest = subSfToZero(aum, prevAumSf);
  const perfCharge = mulSf(sfFromBps(performanceFeeBps), earnedInterest);
  const fees = minSf(addSf(mgmtCharge, perfCharge), aum);
  return { earnedInterest, mgmtCharge, perfCharge, fees, aum: subSf(aum, fees) };
}

type RewardInfo = Pick<
  VaultStateView['rewardInfo'],
  'rewardPerSecond' | 'rewardsAvailable' | 'lastIssuanceTs'
>;

/** Whether the rate and the remaining rewards are above zero. */
export const hasActiveRewards = (info: RewardInfo): boolean =>
  info.rewardPerSecond > 0n && info.rewardsAvailable > 0n;

/** The rewards since the last issuance, at most the remaining ones. Zero before the first issuance. */
export function issuedRewards(info: RewardInfo, now: UnixSeconds): Lamports {
  const started = hasActiveRewards(info) && info.lastIssuanceTs > 0n;
  if (!started || now <= info.lastIssuanceTs) return toLamports(0n);
  const earned = info.rewardPerSecond * (now - info.lastIssuanceTs);
  return earned < info.rewardsAvailable ? toLamports(earned) : info.rewardsAvailable;
}
