import { type Address, ceilSf, sfFromInt } from '@tidegate/core/base';
import { FARMS_PROGRAM } from '@tidegate/core/protocol/farms';
import { klendRejection, type LendingRules } from '@tidegate/core/protocol/klend';
import {
  type borrowAccounts,
  borrowObligationLiquidity,
  borrowObligationLiquidityV2,
} from '@tidegate/core/protocol/klend/instructions';
import {
  borrow,
  type LendingContext,
  type LoanAmounts,
  type ObligationPosition,
  reserveOf,
} from '@tidegate/core/protocol/klend/operations';
import { INSTRUCTIONS_SYSVAR } from '@tidegate/core/protocol/spl';
import type { InvokeContext } from '../../runtime/program.ts';
import { anchorHandler, type InstructionHandler } from '../framework/anchor-program.ts';
import { refreshObligationFarm } from './farm-stake.ts';
import {
  type InstructionAccounts,
  type LendingCall,
  loadMarketContext,
  readObligation,
  readReserve,
  requireAddresses,
  requireMarketAuthority,
  requireNotObsolete,
  requireNotReserveVault,
  requirePrograms,
} from './lending-constraints.ts';
import { requirePermission } from './permission-checks.ts';
import { readElevationGroupReserves, writeLendingPosition } from './position-accounts.ts';
import { logDebtCounters } from './position-log.ts';
import { creditReferrer, requireReferrerState } from './referrers.ts';
import { requireRefreshOrder } from './refresh-order.ts';
import { transferLiquidity } from './reserve-transfers.ts';
import {
  requireMintProgram,
  requireSupportedExtensions,
  requireTokenAccount,
} from './user-token-accounts.ts';

type BorrowAccounts = InstructionAccounts<typeof borrowAccounts>;

type BorrowCall = {
  readonly accounts: BorrowAccounts;
  readonly amount: bigint;
  readonly remaining: readonly Address[];
};

/** Borrows against the deposits of an obligation. */
export const borrowHandlers = (rules: LendingRules): InstructionHandler[] => [
  anchorHandler(borrowObligationLiquidity, 47_200, ({ accounts, args, remaining }, call) => {
    const { obligation, borrowReserve: reserve } = accounts;
    requireRefreshOrder(call, obligation, [{ reserve, kind: 'Debt' }]);
    runBorrow({ call, rules }, { accounts, amount: args.liquidityAmount, remaining });
  }),
  anchorHandler(borrowObligationLiquidityV2, 45_000, ({ accounts, args, remaining }, call) => {
    requirePrograms(call, accounts, { farmsProgram: FARMS_PROGRAM });
    runBorrow({ call, rules }, { accounts, amount: args.liquidityAmount, remaining });
    refreshObligationFarm(call, accounts, {
      ...accounts,
      reserve: accounts.borrowReserve,
      kind: 'Debt',
    });
  }),
];

function runBorrow(lending: LendingCall, { accounts, amount, remaining }: BorrowCall): void {
  const { call } = lending;
  const { borrowReserve: address, borrowReserveLiquidityMint: mint } = accounts;
  const { context, position } = loadBorrow(lending, accounts, remaining);
  const reserves = [reserveOf(position.reserves, address)];
  requirePermission(call, { market: context.market, reserves, operation: 'borrow', remaining });
  call.log(`liquidity_amount ${amount}`);
  const { obligation } = position;
  const stateKey = { obligation, reserve: address, mint };
  const state = requireReferrerState(call, accounts.referrerTokenState, stateKey);
  const after = borrow(position, context, { reserve: address, amount });
  call.log(`Requested ${amount}, allowed ${ceilSf(after.debt)}`);
  logDebtCounters(call, address, { before: position, after });
  if (state !== undefined) creditReferrer(call, state, sfFromInt(after.referrerFee));
  writeLendingPosition(call, accounts.obligation, { before: position, after });
  payLoan(call, accounts, after);
}

/** Checks the accounts and loads the position. */
function loadBorrow(
  lending: LendingCall,
  accounts: BorrowAccounts,
  remaining: readonly Address[],
): { readonly context: LendingContext; readonly position: ObligationPosition } {
  const { call } = lending;
  const { owner, lendingMarket: market, borrowReserve, tokenProgram } = accounts;
  const { borrowReserveLiquidityMint: mint, userDestinationLiquidity: address } = accounts;
  const context = loadMarketContext(lending, market);
  const obligation = readObligation(call, accounts.obligation, { market });
  if (obligation.owner !== owner) {
    throw klendRejection('InvalidObligationOwner', `the obligation belongs to ${obligation.owner}`);
  }
  requireMarketAuthority(call, market, accounts.lendingMarketAuthority);
  const reserve = readReserve(call, borrowReserve, { market, slot: 'borrowReserve' });
  requireAddresses(call, accounts, {
    borrowReserveLiquidityMint: reserve.liquidity.mintPubkey,
    reserveSourceLiquidity: reserve.liquidity.supplyVault,
    borrowReserveLiquidityFeeReceiver: reserve.liquidity.feeVault,
    instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
  });
  requireMintProgram(call, mint, tokenProgram);
  requireTokenAccount(call, { slot: 'userDestinationLiquidity', address, mint, owner });
  requireNotReserveVault(address, reserve.liquidity.supplyVault);
  requireNotObsolete(reserve);
  requireSupportedExtensions(call, { mint, account: address });
  const reserves = new Map(readElevationGroupReserves(call, obligation, remaining));
  return { context, position: { obligation, reserves: reserves.set(borrowReserve, reserve) } };
}

/** Pays the fee first, then the loan. */
function payLoan(call: InvokeContext, accounts: BorrowAccounts, loan: LoanAmounts): void {
  const { received, protocolFee } = loan;
  const { lendingMarketAuthority } = accounts;
  call.log(`pnl: Borrow obligation liquidity ${received} with borrow_fee ${protocolFee}`);
  const transfer = {
    mint: accounts.borrowReserveLiquidityMint,
    tokenProgram: accounts.tokenProgram,
    source: accounts.reserveSourceLiquidity,
    signer: { lendingMarketAuthority },
  };
  if (protocolFee > 0n) {
    const destination = accounts.borrowReserveLiquidityFeeReceiver;
    transferLiquidity(call, { ...transfer, destination, amount: protocolFee });
  }
  const destination = accounts.userDestinationLiquidity;
  transferLiquidity(call, { ...transfer, destination, amount: received });
}
