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
import type { VaultStateView } from '../layout/vault-state.ts';

/** The program's year, 365.242199 days rounded up to a second. */
const SECONDS_PER_YEAR = 31_556_926n;

/** Lamports with their fraction. `fees` is what is really charged: never more than there is. */
export type FeeCharge = {
  readonly earnedInterest: Sf;
  readonly mgmtCharge: Sf;
  readonly perfCharge: Sf;
  readonly fees: Sf;
  /** After the fees; what the next charge compares with. */
  readonly aum: Sf;
};

/**
 * Fees for the seconds since the last charge. Management on the AUM of the last charge, its yearly
 * rate cut to 60 bits before it is multiplied; performance on what the AUM gained since, not below
 * zero. Every step rounds down.
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
