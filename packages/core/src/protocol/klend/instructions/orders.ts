import { lamports, unixSeconds } from '../../../base/encoding/branded-fields.ts';
import { u8, u32, u64 } from '../../../base/encoding/layout.ts';
import {
  instruction,
  optionalRead,
  optionalWrite,
  read,
  sign,
  write,
} from '../../../base/solana/instruction.ts';
import { obligationOrderFields } from '../layout/obligation.ts';
import { borrowAccounts } from './borrows.ts';
import { farmsAccounts } from './farms-accounts.ts';

const { owner: _owner, ...accountsAfterPayer } = borrowAccounts;

/** Anyone can fill an order. */
export const fillBorrowOrderAccounts = {
  payer: sign,
  ...accountsAfterPayer,
  ...farmsAccounts,
  farmsProgram: read,
  eventAuthority: read,
  program: read,
};

/** Borrows for the owner of an order, up to the rest of the order. */
export const fillBorrowOrder = instruction({
  name: 'fillBorrowOrder',
  discriminator: '6604a74c83aa5d13',
  accounts: fillBorrowOrderAccounts,
  args: {},
});

/** Like version 1, for one of several orders. */
export const fillBorrowOrderV2 = instruction({
  name: 'fillBorrowOrderV2',
  discriminator: 'c555c18b285ec28f',
  accounts: fillBorrowOrderAccounts,
  args: { orderIdx: u8 },
});

/**
 * Moves a debt into a reserve with other terms, or starts its term again in the same reserve, if its owner allows it. Anyone
 * can call it.
 */
export const rolloverFixedTermBorrow = instruction({
  name: 'rolloverFixedTermBorrow',
  discriminator: '551e9be1e0ba8d94',
  accounts: {
    payer: sign,
    obligation: write,
    lendingMarket: read,
    lendingMarketAuthority: read,
    sourceBorrowReserve: write,
    targetBorrowReserve: write,
    liquidityMint: read,
    sourceBorrowReserveLiquidity: write,
    targetBorrowReserveLiquidity: write,
    tokenProgram: read,
    sourceObligationFarmUserState: optionalWrite,
    sourceReserveFarmState: optionalWrite,
    targetObligationFarmUserState: optionalWrite,
    targetReserveFarmState: optionalWrite,
    farmsProgram: read,
  },
  args: {},
});

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

/**
 * Sets an order that lets anyone repay debt of the loan for its collateral while a condition holds, such as a stop loss. An
 * order of zeros removes it.
 */
export const setObligationOrder = instruction({
  name: 'setObligationOrder',
  discriminator: '5101639cd3534e2e',
  accounts: {
    owner: sign,
    obligation: write,
    lendingMarket: read,
  },
  args: { index: u8, ...obligationOrderFields },
});

/** The settings of a debt. The index is the value of `mode`. */
export const obligationConfigModes = [
  'FixedTermRolloverEnabled',
  'FixedTermRolloverMaxBorrowRateBps',
  'FixedTermRolloverMinDebtTermSeconds',
  'FixedTermRolloverOpenTermAllowed',
  'MigrationToFixedEnabled',
  'FixedTermRolloverWindowDurationDays',
] as const;

export type ObligationConfigMode = (typeof obligationConfigModes)[number];

/** Changes a setting of the debt in `borrowReserve`. The list is the encoded value. */
export const updateObligationConfig = instruction({
  name: 'updateObligationConfig',
  discriminator: '5298d545fa009dbc',
  accounts: {
    owner: sign,
    obligation: write,
    borrowReserve: optionalRead,
    depositReserve: optionalRead,
    lendingMarket: read,
  },
  args: { mode: u8 },
  list: { count: u32, item: u8 },
});
