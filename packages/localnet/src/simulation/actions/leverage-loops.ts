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

/** Two reserves of a market: what is borrowed in a flash there, and what is swapped for it with somebody who signs too. */
export type LoopSwap = {
  readonly loan: LoanRef;
  readonly maker: Signer;
  readonly debt: ReserveAmount & { readonly amount: bigint };
  readonly collateral: ReserveAmount & { readonly amount: bigint };
};

/**
 * Borrows more and deposits what it buys, in one transaction: a flash loan is swapped into the collateral, which is
 * deposited, and the debt that it allows pays the flash loan back.
 */
export function increaseLoop(player: Simulator, swap: LoopSwap): TransactionRecord {
  const { loan, maker, debt, collateral } = swap;
  const [owner, flash] = [loan.owner.address, flashLoan(player, swap)];
  const deposit = buildLending(player, depositBuilder, { loan, sum: collateral });
  const borrow = buildLending(player, borrowBuilder, {
    loan,
    sum: { ...debt, amount: debt.amount + flash.fee },
  });
  const swapped = [
    ...transferTokensTo(flash.token, { from: owner, to: maker.address, amount: debt.amount }),
    ...give(tokenAt(player, collateral.reserve), {
      ...{ from: maker.address, to: owner, amount: collateral.amount },
    }),
  ];
  const inside = [...swapped, ...deposit.instructions, ...borrow.instructions];
  const back = flash.isSol ? wrapSol(owner, debt.amount + flash.fee) : [];
  return act(player, swap, { flash, inside: [...inside, ...back], tables: deposit.tables });
}

/** The way back: a flash loan pays debt, and what that sets free is swapped to pay it back. */
export function decreaseLoop(player: Simulator, swap: LoopSwap): TransactionRecord {
  const { loan, maker, debt, collateral } = swap;
  const [owner, flash] = [loan.owner.address, flashLoan(player, swap)];
  const repay = buildLending(player, repayBuilder, { loan, sum: debt });
  const withdraw = buildLending(player, withdrawBuilder, { loan, sum: collateral });
  const inside = [
    ...(flash.isSol ? [unwrapSol(owner)] : []),
    ...repay.instructions,
    ...withdraw.instructions,
    ...give(tokenAt(player, collateral.reserve), {
      ...{ from: owner, to: maker.address, amount: collateral.amount - ROUNDING },
    }),
    ...transferTokensTo(flash.token, {
      ...{ from: maker.address, to: owner, amount: debt.amount + flash.fee },
    }),
  ];
  return act(player, swap, { flash, inside, tables: repay.tables });
}

type Inside = {
  readonly flash: ReturnType<typeof flashLoan>;
  readonly inside: readonly Instruction[];
  readonly tables: Build['tables'];
};

function act(player: Simulator, { loan, maker }: LoopSwap, { flash, inside, tables }: Inside) {
  const { token, isSol } = flash;
  const instructions = [
    openTokenAccount(token, loan.owner.address),
    flash.borrow,
    ...inside,
    flash.repay,
    ...(isSol ? [unwrapSol(loan.owner.address)] : []),
  ];
  return player.act({ instructions, tables, signers: [loan.owner, maker] });
}

/** What a withdrawal may be short of. */
const ROUNDING = 10n;

/** Where in the transaction it is taken: after the account for it is made. */
const FLASH_INDEX = 1;

/** Both ends of a flash loan, and what it costs. */
function flashLoan(player: Simulator, { loan, debt }: LoopSwap) {
  const { lendingMarket, liquidity, config } = reserveAt(player, debt.reserve);
  const { mintPubkey: mint, tokenProgram } = liquidity;
  const amount = toLamports(debt.amount);
  const own = associatedTokenAddress(loan.owner.address, mint, tokenProgram);
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
    token: tokenAt(player, debt.reserve),
    isSol: mint === WRAPPED_SOL_MINT,
    fee: loanFees(sfFromInt(amount), { ...terms, ...noReferrer }).protocol,
    borrow: flashBorrowReserveLiquidity.build(KLEND_PROGRAM, {
      accounts: { ...accounts, reserveSourceLiquidity: supplyVault, userDestinationLiquidity: own },
      args: { liquidityAmount: amount },
    }),
    repay: flashRepayReserveLiquidity.build(KLEND_PROGRAM, {
      accounts: { ...accounts, reserveDestinationLiquidity: supplyVault, userSourceLiquidity: own },
      args: { liquidityAmount: amount, borrowInstructionIndex: FLASH_INDEX },
    }),
  };
}

/** SOL goes as it is, which is how deposits and withdrawals leave it. */
const give = (
  token: ReturnType<typeof tokenAt>,
  gift: { readonly from: Address; readonly to: Address; readonly amount: bigint },
): Instruction[] =>
  token.mint === WRAPPED_SOL_MINT ? [transferSol(gift)] : transferTokensTo(token, gift);

function tokenAt(player: Simulator, reserve: Address) {
  const { mintPubkey: mint, mintDecimals, tokenProgram } = reserveAt(player, reserve).liquidity;
  return { mint, decimals: Number(mintDecimals), tokenProgram };
}

function reserveAt(player: Simulator, address: Address): Reserve {
  return decodeCached(reserveLayout, player.accountOf(address));
}
