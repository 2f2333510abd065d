import { lamports } from '../../../base/encoding/branded-fields.ts';
import { u8 } from '../../../base/encoding/layout.ts';
import { instruction, optionalWrite, read, sign, write } from '../../../base/solana/instruction.ts';
import { farmsAccounts } from './farms-accounts.ts';

export const borrowAccounts = {
  owner: sign,
  obligation: write,
  lendingMarket: read,
  lendingMarketAuthority: read,
  borrowReserve: write,
  borrowReserveLiquidityMint: read,
  reserveSourceLiquidity: write,
  borrowReserveLiquidityFeeReceiver: write,
  userDestinationLiquidity: write,
  referrerTokenState: optionalWrite,
  tokenProgram: read,
  instructionSysvarAccount: read,
};

/** Version 1: requires adjacent refreshes, see `refreshObligation`. Remaining accounts as in V2. */
export const borrowObligationLiquidity = instruction({
  name: 'borrowObligationLiquidity',
  discriminator: '797f12cc49f5e141',
  accounts: borrowAccounts,
  args: { liquidityAmount: lamports },
});

/**
 * The owner receives `liquidityAmount`, and the fee adds to the debt. U64_MAX borrows the maximum and deducts the
 * fee from it. Remaining accounts in an elevation group: the reserve of every deposit (writable), in order.
 */
export const borrowObligationLiquidityV2 = instruction({
  name: 'borrowObligationLiquidityV2',
  discriminator: 'a1808ff5abc7c206',
  accounts: {
    ...borrowAccounts,
    ...farmsAccounts,
    farmsProgram: read,
  },
  args: { liquidityAmount: lamports },
});

export const repayAccounts = {
  owner: sign,
  obligation: write,
  lendingMarket: read,
  repayReserve: write,
  reserveLiquidityMint: read,
  reserveDestinationLiquidity: write,
  userSourceLiquidity: write,
  tokenProgram: read,
  instructionSysvarAccount: read,
};

/** Version 1: requires adjacent refreshes, see `refreshObligation`. Remaining accounts as in V2. */
export const repayObligationLiquidity = instruction({
  name: 'repayObligationLiquidity',
  discriminator: '91b20de14cf09348',
  accounts: repayAccounts,
  args: { liquidityAmount: lamports },
});

/**
 * U64_MAX repays the full debt, rounded up. `owner` is the payer and can be anyone who owns the source account.
 * Remaining accounts in an elevation group: the reserve of every deposit (writable), in order.
 */
export const repayObligationLiquidityV2 = instruction({
  name: 'repayObligationLiquidityV2',
  discriminator: '74aed54cb435d290',
  accounts: {
    ...repayAccounts,
    ...farmsAccounts,
    lendingMarketAuthority: read,
    farmsProgram: read,
  },
  args: { liquidityAmount: lamports },
});

/**
 * Requires a later `flashRepayReserveLiquidity` of the same reserve and amount in the same transaction. Referrer
 * accounts are absent without a referrer.
 */
export const flashBorrowReserveLiquidity = instruction({
  name: 'flashBorrowReserveLiquidity',
  discriminator: '87e734a70734d4c1',
  accounts: {
    userTransferAuthority: sign,
    lendingMarketAuthority: read,
    lendingMarket: read,
    reserve: write,
    reserveLiquidityMint: read,
    reserveSourceLiquidity: write,
    userDestinationLiquidity: write,
    reserveLiquidityFeeReceiver: write,
    referrerTokenState: optionalWrite,
    referrerAccount: optionalWrite,
    sysvarInfo: read,
    tokenProgram: read,
  },
  args: { liquidityAmount: lamports },
});

/** Repays `liquidityAmount`, the borrowed amount, plus the fee. */
export const flashRepayReserveLiquidity = instruction({
  name: 'flashRepayReserveLiquidity',
  discriminator: 'b97500cb60f5b4ba',
  accounts: {
    userTransferAuthority: sign,
    lendingMarketAuthority: read,
    lendingMarket: read,
    reserve: write,
    reserveLiquidityMint: read,
    reserveDestinationLiquidity: write,
    userSourceLiquidity: write,
    reserveLiquidityFeeReceiver: write,
    referrerTokenState: optionalWrite,
    referrerAccount: optionalWrite,
    sysvarInfo: read,
    tokenProgram: read,
  },
  args: {
    liquidityAmount: lamports,
    /** The zero-based index of the borrow instruction in the transaction. */
    borrowInstructionIndex: u8,
  },
});
