import { type Address, ceilSf, sfFromInt } from '@tidegate/core/base';
import { FARMS_PROGRAM } from '@tidegate/core/protocol/farms';
import {
  emittedOrderEvent,
  klendRejection,
  type LendingRules,
} from '@tidegate/core/protocol/klend';
import {
  type borrowAccounts,
  borrowObligationLiquidity,
  borrowObligationLiquidityV2,
  fillBorrowOrder,
  type fillBorrowOrderAccounts,
  fillBorrowOrderV2,
} from '@tidegate/core/protocol/klend/instructions';
import {
  borrow,
  fillBorrowOrder as fillOrder,
  type LendingContext,
  type LoanAmounts,
  type ObligationPosition,
  requireOpenReserve,
  reserveOf,
} from '@tidegate/core/protocol/klend/operations';
import { INSTRUCTIONS_SYSVAR } from '@tidegate/core/protocol/spl';
import type { InvokeContext } from '../../runtime/program.ts';
import { anchorHandler, type InstructionHandler } from '../framework/anchor-program.ts';
import { emitEvent, requireEventAuthority } from '../framework/emit-event.ts';
import { refreshObligationFarm } from './farm-stake.ts';
import { creditReferrer, requireReferrerState } from './fees.ts';
import {
  type InstructionAccounts,
  type LendingCall,
  loadMarketContext,
  readObligation,
  readReserve,
  requireAddresses,
  requireMarketAuthority,
  requireNotReserveVault,
  requirePermission,
  requirePrograms,
} from './lending-constraints.ts';
import {
  logDebtCounters,
  readElevationGroupReserves,
  writeLendingPosition,
} from './position-accounts.ts';
import { requireRefreshOrder } from './refreshes.ts';
import {
  requireMintProgram,
  requireSupportedExtensions,
  requireTokenAccount,
  transferLiquidity,
} from './token-accounts.ts';

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
  anchorHandler(fillBorrowOrder, 70_000, ({ accounts, remaining }, call) => {
    runFill({ call, rules }, { accounts, remaining, index: 0 });
  }),
  anchorHandler(fillBorrowOrderV2, 70_000, ({ accounts, args, remaining }, call) => {
    runFill({ call, rules }, { accounts, remaining, index: args.orderIdx });
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
  const stateKey = { obligation: position.obligation, reserve: address, mint };
  const state = requireReferrerState(call, accounts.referrerTokenState, stateKey);
  const after = borrow(position, context, { reserve: address, amount });
  call.log(`Requested ${amount}, allowed ${ceilSf(after.debt)}`);
  settleBorrow(call, accounts, { before: position, after, state });
}

type BorrowSettlement = {
  readonly before: ObligationPosition;
  readonly after: ObligationPosition & LoanAmounts;
  /** Of the referrer. */
  readonly state: Address | undefined;
};

/** Writes the accounts and pays the loan. */
function settleBorrow(
  call: InvokeContext,
  accounts: BorrowAccounts,
  { before, after, state }: BorrowSettlement,
): void {
  logDebtCounters(call, accounts.borrowReserve, { before, after });
  if (state !== undefined) creditReferrer(call, state, sfFromInt(after.referrerFee));
  writeLendingPosition(call, accounts.obligation, { before, after });
  payLoan(call, accounts, after);
}

type Fill = {
  readonly accounts: InstructionAccounts<typeof fillBorrowOrderAccounts>;
  readonly remaining: readonly Address[];
  readonly index: number;
};

/** Borrows for the owner of an order, who has not signed. */
function runFill(lending: LendingCall, { accounts: named, remaining, index }: Fill): void {
  const { call } = lending;
  requirePrograms(call, named, { farmsProgram: FARMS_PROGRAM });
  requireEventAuthority(call, named.eventAuthority);
  const { owner, ...order } = orderOf(call, named, index);
  const { borrowReserve: reserve, borrowReserveLiquidityMint: mint } = named;
  if (order.debtLiquidityMint !== mint) {
    throw klendRejection('BorrowOrderDebtLiquidityMintMismatch', 'the order is for another token');
  }
  requireAddresses(call, named, { userDestinationLiquidity: order.filledDebtDestination });
  const accounts = { ...named, owner };
  const { context, position: before } = loadBorrow(lending, accounts, remaining);
  const reserves = [reserveOf(before.reserves, reserve)];
  requirePermission(call, { market: context.market, reserves, operation: 'borrow', remaining });
  const stateKey = { obligation: before.obligation, reserve, mint };
  const state = requireReferrerState(call, accounts.referrerTokenState, stateKey);
  const after = fillOrder(before, context, { reserve, index });
  settleBorrow(call, accounts, { before, after, state });
  emitEvent(call, emittedOrderEvent(after.change));
  refreshObligationFarm(call, accounts, { ...accounts, reserve, kind: 'Debt' });
}

function orderOf(
  call: InvokeContext,
  { obligation, lendingMarket }: Fill['accounts'],
  index: number,
) {
  const { owner, headBorrowOrder, tailBorrowOrders } = readObligation(call, obligation, {
    market: lendingMarket,
  });
  const order = index === 0 ? headBorrowOrder : tailBorrowOrders[index - 1];
  if (order === undefined) throw klendRejection('OrderIndexOutOfBounds', `there is no ${index}`);
  return { ...order, owner };
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
  requireOpenReserve(context, reserve);
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
