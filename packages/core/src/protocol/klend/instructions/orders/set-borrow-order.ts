import { lamports, unixSeconds } from '../../../../base/encoding/branded-fields.ts';
import { u8, u32, u64 } from '../../../../base/encoding/layout.ts';
import { instruction, read, sign, write } from '../../../../base/solana/instruction.ts';

export const setBorrowOrderAccounts = {
  owner: sign,
  obligation: write,
  lendingMarket: read,
  reserve: read,
  filledDebtDestination: read,
  debtLiquidityMint: read,
  instructionSysvarAccount: read,
  eventAuthority: read,
  program: read,
};

const orderConfig = {
  remainingDebtAmount: lamports,
  maxBorrowRateBps: u32,
  /** 0 accepts only debts without a term. */
  minDebtTermSeconds: u64,
  fillableUntilTimestamp: unixSeconds,
  enableAutoRolloverOnFilledBorrows: u8,
  /** Fails if less of the present order is left. */
  minExpectedCurrentRemainingDebtAmount: lamports,
};

/** Places, changes or, with zeros, cancels the order of a loan to borrow from any reserve of a token that fits. */
export const setBorrowOrder = instruction({
  name: 'setBorrowOrder',
  discriminator: 'b1ba2d3deb5b448b',
  accounts: setBorrowOrderAccounts,
  args: orderConfig,
});

/** Like version 1, for one of several orders. */
export const setBorrowOrderV2 = instruction({
  name: 'setBorrowOrderV2',
  discriminator: '57ff1e049ce6a77e',
  accounts: setBorrowOrderAccounts,
  args: { orderIdx: u8, ...orderConfig },
});
