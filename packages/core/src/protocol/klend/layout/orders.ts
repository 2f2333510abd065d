import { lamports, sf, unixSeconds } from '../../../base/encoding/branded-fields.ts';
import { flag, upTo } from '../../../base/encoding/known-values.ts';
import { padding, pubkey, struct, u8, u16, u32, u64 } from '../../../base/encoding/layout.ts';

/** Also the arguments of `setObligationOrder`. */
export const obligationOrderFields = {
  conditionThresholdSf: sf,
  opportunityParameterSf: sf,
  minExecutionBonusBps: u16,
  maxExecutionBonusBps: u16,
  conditionType: upTo(u8, 6),
  opportunityType: upTo(u8, 1),
  padding1: padding(10),
  padding2: padding(80),
};

export const obligationOrder = struct(obligationOrderFields);

export const borrowOrder = struct({
  debtLiquidityMint: pubkey,
  remainingDebtAmount: lamports,
  filledDebtDestination: pubkey,
  minDebtTermSeconds: u64,
  fillableUntilTimestamp: unixSeconds,
  placedAtTimestamp: unixSeconds,
  lastUpdatedAtTimestamp: unixSeconds,
  requestedDebtAmount: lamports,
  maxBorrowRateBps: u32,
  active: flag(u8),
  enableAutoRolloverOnFilledBorrows: flag(u8),
  padding1: padding(2),
  endPadding: padding(40),
});
