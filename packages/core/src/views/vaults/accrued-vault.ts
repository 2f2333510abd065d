import { addSf, type Sf, sfFromInt, subSfToZero } from '../../base/numbers/scaled-fraction.ts';
import type { UnixSeconds } from '../../base/time.ts';
import type { VaultStateView } from '../../protocol/kvault/layout/vault-state.ts';
import { feeCharge, issuedRewards } from '../../protocol/kvault/math/fees.ts';
import type { VaultSnapshot } from './vault-snapshot.ts';

/** Assets and counters of a vault account, in lamports of its token. */
export type AccruedVault = {
  /** Available and invested tokens, including pending fees. */
  readonly heldSf: Sf;
  readonly pendingFeesSf: Sf;
  readonly cumulativeEarnedInterestSf: Sf;
  readonly cumulativeMgmtFeesSf: Sf;
  readonly cumulativePerfFeesSf: Sf;
};

type AccruedFields = Pick<
  VaultStateView,
  | 'rewardInfo'
  | 'lastFeeChargeTimestamp'
  | 'prevAumSf'
  | 'managementFeeBps'
  | 'performanceFeeBps'
  | 'pendingFeesSf'
  | 'cumulativeEarnedInterestSf'
  | 'cumulativeMgmtFeesSf'
  | 'cumulativePerfFeesSf'
>;

/** What the account would say if an operation touched the vault now: the program counts only then. */
export function accrueVault(
  vault: Pick<VaultSnapshot, 'totalHoldings'> & { readonly fields: AccruedFields },
  now: UnixSeconds,
): AccruedVault {
  const { fields, totalHoldings } = vault;
  const { lastFeeChargeTimestamp: last, pendingFeesSf } = fields;
  const heldSf = addSf(totalHoldings, sfFromInt(issuedRewards(fields.rewardInfo, now)));
  const { cumulativeEarnedInterestSf, cumulativeMgmtFeesSf, cumulativePerfFeesSf } = fields;
  // the first operation only starts the fee clock
  if (last === 0n) {
    const counters = { cumulativeEarnedInterestSf, cumulativeMgmtFeesSf, cumulativePerfFeesSf };
    return { heldSf, pendingFeesSf, ...counters };
  }
  const seconds = now > last ? now - last : 0n;
  const charge = feeCharge(fields, subSfToZero(heldSf, pendingFeesSf), seconds);
  return {
    heldSf,
    pendingFeesSf: addSf(pendingFeesSf, charge.fees),
    cumulativeEarnedInterestSf: addSf(cumulativeEarnedInterestSf, charge.earnedInterest),
    cumulativeMgmtFeesSf: addSf(cumulativeMgmtFeesSf, charge.mgmtCharge),
    cumulativePerfFeesSf: addSf(cumulativePerfFeesSf, charge.perfCharge),
  };
}
