import { type Address, type Instruction, sfFromInt, toLamports } from '@tidegate/core/base';
import {
  type Build,
  borrowBuilder,
  depositBuilder,
  repayBuilder,
  withdrawBuilder,
} from '@tidegate/core/builders';
import { KLEND_PROGRAM, lendingMarketAuthority } from '@tidegate/core/protocol/klend';
import {
  flashBorrowReserveLiquidity,
  flashRepayReserveLiquidity,
} from '@tidegate/core/protocol/klend/instructions';
import { type Reserve, reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import { loanFees } from '@tidegate/core/protocol/klend/math';
import {
  associatedTokenAddress,
  INSTRUCTIONS_SYSVAR,
  WRAPPED_SOL_MINT,
} from '@tidegate/core/protocol/spl';
import type { Signer } from '../../runtime/signer.ts';
import type { TransactionRecord } from '../../runtime/transactions/transaction-record.ts';
import { decodeCached } from '../../runtime/typed-accounts.ts';
import type { Simulator } from '../setup/simulator.ts';
import { buildLending, type LoanRef, type ReserveAmount } from './lending-actions.ts';
import {
  openTokenAccount,
  transferSol,
  transferTokensTo,
  unwrapSol,
  wrapSol,
} from './token-instructions.ts';

/**
 * A swap between two reserves of a market: the debt comes from a flash loan, the market maker signs
 * for the collateral.
 */
export type LoopSwap = {
  readonly loan: LoanRef;
  readonly maker: Signer;
  readonly debt: ReserveAmount & { readonly amount: bigint };
  readonly collateral: ReserveAmount & { readonly amount: bigint };
};

/**
 * Increases the leverage in one transaction: a flash loan is swapped into collateral, the
 * collateral is deposited, and the debt borrowed against it repays the flash loan.
 */
export function increaseLoop(simulator: Simulator, swap: LoopSwap): TransactionRecord {
  const { loan, maker, debt, collateral } = swap;
  const [owner, flash] = [loan.owner.address, flashLoan(simulator, swap)];
  const deposit = buildLending(simulator, depositBuilder, { loan, amount: collateral });
  const borrow = buildLending(simulator, borrowBuilder, {
    loan,
    amount: { ...debt, amount: debt.amount + flash.fee },
  });
  const swapInstructions = [
    ...transferTokensTo(flash.token, { from: owner, to: maker.address, amount: debt.amount }),
    ...transferTokensOrSol(tokenAt(simulator, collateral.reserve), {
      from: maker.address,
      to: owner,
      amount: collateral.amount,
    }),
  ];
  const body = [...swapInstructions, ...deposit.instructions, ...borrow.instructions];
  const rewrap = flash.isSol ? wrapSol(owner, debt.amount + flash.fee) : [];
  return executeInFlashLoan(simulator, swap, {
    flash,
    body: [...body, ...rewrap],
    lookupTables: deposit.lookupTables,
  });
}

/**
 * Decreases the leverage: a flash loan repays debt, and the withdrawn collateral is swapped to
 * repay the flash loan.
 */
export function decreaseLoop(simulator: Simulator, swap: LoopSwap): TransactionRecord {
  const { loan, maker, debt, collateral } = swap;
  const [owner, flash] = [loan.owner.address, flashLoan(simulator, swap)];
  const repay = buildLending(simulator, repayBuilder, { loan, amount: debt });
  const withdraw = buildLending(simulator, withdrawBuilder, { loan, amount: collateral });
  const body = [
    ...(flash.isSol ? [unwrapSol(owner)] : []),
    ...repay.instructions,
    ...withdraw.instructions,
    ...transferTokensOrSol(tokenAt(simulator, collateral.reserve), {
      from: owner,
      to: maker.address,
      amount: collateral.amount - ROUNDING,
    }),
    ...transferTokensTo(flash.token, {
      from: maker.address,
      to: owner,
      amount: debt.amount + flash.fee,
    }),
  ];
  return executeInFlashLoan(simulator, swap, { flash, body, lookupTables: repay.lookupTables });
}

type FlashLoanBody = {
  readonly flash: ReturnType<typeof flashLoan>;
  readonly body: readonly Instruction[];
  readonly lookupTables: Build['lookupTables'];
};

function executeInFlashLoan(
  simulator: Simulator,
  { loan, maker }: LoopSwap,
  { flash, body, lookupTables }: FlashLoanBody,
) {
  const { token, isSol } = flash;
  const instructions = [
    openTokenAccount(token, loan.owner.address),
    flash.borrow,
    ...body,
    flash.repay,
    ...(isSol ? [unwrapSol(loan.owner.address)] : []),
  ];
  return simulator.execute({ instructions, lookupTables, signers: [loan.owner, maker] });
}

/** Lamports that a withdrawal may fall short by. */
const ROUNDING = 10n;

/** Index of the flash borrow: after the instruction that creates the token account. */
const FLASH_INDEX = 1;

/** The instructions of a flash loan, and its fee. */
function flashLoan(simulator: Simulator, { loan, debt }: LoopSwap) {
  const { lendingMarket, liquidity, config } = reserveAt(simulator, debt.reserve);
  const { mintPubkey: mint, tokenProgram } = liquidity;
  const amount = toLamports(debt.amount);
  const userTokenAccount = associatedTokenAddress(loan.owner.address, mint, tokenProgram);
  const accounts = {
    userTransferAuthority: loan.owner.address,
    lendingMarketAuthority: lendingMarketAuthority(lendingMarket),
    lendingMarket,
    reserve: debt.reserve,
    reserveLiquidityMint: mint,
    reserveLiquidityFeeReceiver: liquidity.feeVault,
    referrerTokenState: undefined,
    referrerAccount: undefined,
    sysvarInfo: INSTRUCTIONS_SYSVAR,
    tokenProgram,
  };
  const { supplyVault } = liquidity;
  const terms = { rate: config.fees.flashLoanFeeSf, kind: 'exclusive' } as const;
  const noReferrer = { referralFeeBps: 0, hasReferrer: false };
  return {
    token: tokenAt(simulator, debt.reserve),
    isSol: mint === WRAPPED_SOL_MINT,
    fee: loanFees(sfFromInt(amount), { ...terms, ...noReferrer }).protocol,
    borrow: flashBorrowReserveLiquidity.build(KLEND_PROGRAM, {
      accounts: {
        ...accounts,
        reserveSourceLiquidity: supplyVault,
        userDestinationLiquidity: userTokenAccount,
      },
      args: { liquidityAmount: amount },
    }),
    repay: flashRepayReserveLiquidity.build(KLEND_PROGRAM, {
      accounts: {
        ...accounts,
        reserveDestinationLiquidity: supplyVault,
        userSourceLiquidity: userTokenAccount,
      },
      args: { liquidityAmount: amount, borrowInstructionIndex: FLASH_INDEX },
    }),
  };
}

/** SOL moves unwrapped, as deposits and withdrawals leave it. */
const transferTokensOrSol = (
  token: ReturnType<typeof tokenAt>,
  transfer: { readonly from: Address; readonly to: Address; readonly amount: bigint },
): Instruction[] =>
  token.mint === WRAPPED_SOL_MINT ? [transferSol(transfer)] : transferTokensTo(token, transfer);

function tokenAt(simulator: Simulator, reserve: Address) {
  const { mintPubkey: mint, mintDecimals, tokenProgram } = reserveAt(simulator, reserve).liquidity;
  return { mint, decimals: Number(mintDecimals), tokenProgram };
}

function reserveAt(simulator: Simulator, address: Address): Reserve {
  return decodeCached(reserveLayout, simulator.requireAccount(address));
}
