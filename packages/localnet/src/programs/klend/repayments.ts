import { type Address, toAddress } from '@tidegate/core/base';
import { FARMS_PROGRAM } from '@tidegate/core/protocol/farms';
import { klendRejection, type LendingRules } from '@tidegate/core/protocol/klend';
import {
  type repayAccounts,
  repayObligationLiquidity,
  repayObligationLiquidityV2,
  rolloverFixedTermBorrow,
} from '@tidegate/core/protocol/klend/instructions';
import {
  type LendingContext,
  type ObligationPosition,
  type RepayResult,
  repay,
  rollover,
} from '@tidegate/core/protocol/klend/operations';
import { INSTRUCTIONS_SYSVAR } from '@tidegate/core/protocol/spl';
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
  requireNotReserveVault,
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

/** Repaying fails in a transaction with these programs. */
const RESTRICTED_PROGRAMS = [toAddress('jupr81YtYssSyPt8jbnGuiWon5f6x9TcDEFxYe3Bdzi')];

export type RepayAccounts = InstructionAccounts<typeof repayAccounts>;

type RepayInstruction = {
  readonly accounts: RepayAccounts;
  readonly amount: bigint;
  readonly remaining: readonly Address[];
};

/** Repayments of an obligation's debt, by anyone. */
export const repayHandlers = (rules: LendingRules): InstructionHandler[] => [
  anchorHandler(repayObligationLiquidity, 29_400, ({ accounts, args, remaining }, call) => {
    const { obligation, repayReserve: reserve } = accounts;
    requireRefreshOrder(call, obligation, [{ reserve, kind: 'Debt' }]);
    runRepay({ call, rules }, { accounts, amount: args.liquidityAmount, remaining });
  }),
  anchorHandler(repayObligationLiquidityV2, 33_900, ({ accounts, args, remaining }, call) => {
    requirePrograms(call, accounts, { farmsProgram: FARMS_PROGRAM });
    requireMarketAuthority(call, accounts.lendingMarket, accounts.lendingMarketAuthority);
    runRepay({ call, rules }, { accounts, amount: args.liquidityAmount, remaining });
    refreshObligationFarm(call, accounts, {
      ...accounts,
      reserve: accounts.repayReserve,
      kind: 'Debt',
    });
  }),
];

function runRepay(lending: LendingCall, request: RepayInstruction): void {
  const { before, after } = settleRepayment(lending, request);
  writeLendingPosition(lending.call, request.accounts.obligation, { before, after });
}

type Repayment = {
  readonly context: LendingContext;
  readonly before: ObligationPosition;
  readonly after: RepayResult;
};

/** Repays the debt and transfers the tokens, without writing the accounts. */
export function settleRepayment(lending: LendingCall, request: RepayInstruction): Repayment {
  const { call } = lending;
  const { accounts, amount } = request;
  const { context, position: before } = loadRepayment(lending, request);
  const after = repay(before, context, { reserve: accounts.repayReserve, amount });
  logDebtCounters(call, accounts.repayReserve, { before, after });
  call.log(`pnl: Repaying obligation liquidity ${after.repaid} liquidity_amount ${amount}`);
  transferLiquidity(call, {
    mint: accounts.reserveLiquidityMint,
    tokenProgram: accounts.tokenProgram,
    source: accounts.userSourceLiquidity,
    destination: accounts.reserveDestinationLiquidity,
    signer: { wallet: accounts.owner },
    amount: after.repaid,
  });
  return { context, before, after };
}

/** Checks the accounts and loads the position. */
function loadRepayment(
  lending: LendingCall,
  { accounts, remaining }: RepayInstruction,
): { readonly context: LendingContext; readonly position: ObligationPosition } {
  const { call } = lending;
  const { lendingMarket: market, repayReserve, reserveLiquidityMint: mint } = accounts;
  const address = accounts.userSourceLiquidity;
  const context = loadMarketContext(lending, market);
  const obligation = readObligation(call, accounts.obligation, { market });
  const reserve = readReserve(call, repayReserve, { market, slot: 'repayReserve' });
  requireAddresses(call, accounts, {
    reserveLiquidityMint: reserve.liquidity.mintPubkey,
    reserveDestinationLiquidity: reserve.liquidity.supplyVault,
    instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
  });
  requireMintProgram(call, mint, accounts.tokenProgram);
  requireTokenAccount(call, { slot: 'userSourceLiquidity', address, mint });
  const programs = call.instructions.map(({ programAddress }) => programAddress);
  if (programs.some((program) => RESTRICTED_PROGRAMS.includes(program))) {
    throw klendRejection(
      'TransactionIncludesRestrictedPrograms',
      'another program may not be there',
    );
  }
  requireNotReserveVault(address, reserve.liquidity.supplyVault);
  requireSupportedExtensions(call, { mint, account: address });
  const reserves = new Map(readElevationGroupReserves(call, obligation, remaining));
  return { context, position: { obligation, reserves: reserves.set(repayReserve, reserve) } };
}

type RolloverAccounts = InstructionAccounts<typeof rolloverFixedTermBorrow.accounts>;

/** Debts move into reserves with other terms. */
export const rolloverHandlers = (rules: LendingRules): InstructionHandler[] => [
  anchorHandler(rolloverFixedTermBorrow, 60_000, ({ accounts }, call) => {
    requirePrograms(call, accounts, { farmsProgram: FARMS_PROGRAM });
    runRollover({ call, rules }, accounts);
    if (accounts.sourceBorrowReserve === accounts.targetBorrowReserve) return;
    refreshObligationFarm(call, accounts, {
      kind: 'Debt',
      reserve: accounts.sourceBorrowReserve,
      obligationFarmUserState: accounts.sourceObligationFarmUserState,
      reserveFarmState: accounts.sourceReserveFarmState,
    });
    refreshObligationFarm(call, accounts, {
      kind: 'Debt',
      reserve: accounts.targetBorrowReserve,
      obligationFarmUserState: accounts.targetObligationFarmUserState,
      reserveFarmState: accounts.targetReserveFarmState,
    });
  }),
];

function runRollover(lending: LendingCall, accounts: RolloverAccounts): void {
  const { call } = lending;
  const { lendingMarket: market, liquidityMint: mint, tokenProgram } = accounts;
  const { sourceBorrowReserve: source, targetBorrowReserve: target } = accounts;
  const context = loadMarketContext(lending, market);
  const obligation = readObligation(call, accounts.obligation, { market });
  requireMarketAuthority(call, market, accounts.lendingMarketAuthority);
  const from = readReserve(call, source, { market, slot: 'sourceBorrowReserve' });
  const to = readReserve(call, target, { market, slot: 'targetBorrowReserve' });
  if (from.liquidity.mintPubkey !== to.liquidity.mintPubkey) {
    const reason = 'the reserves have different tokens';
    throw klendRejection('BorrowRolloverLiquidityMintMismatch', reason);
  }
  requireAddresses(call, accounts, {
    liquidityMint: from.liquidity.mintPubkey,
    sourceBorrowReserveLiquidity: from.liquidity.supplyVault,
    targetBorrowReserveLiquidity: to.liquidity.supplyVault,
  });
  requireMintProgram(call, mint, tokenProgram);
  const before = {
    obligation,
    reserves: new Map([
      [source, from],
      [target, to],
    ]),
  };
  const after = rollover(before, context, { source, target });
  writeLendingPosition(call, accounts.obligation, { before, after });
  if (after.moved === 0n) return;
  transferLiquidity(call, {
    mint,
    tokenProgram,
    source: accounts.targetBorrowReserveLiquidity,
    destination: accounts.sourceBorrowReserveLiquidity,
    signer: { lendingMarketAuthority: accounts.lendingMarketAuthority },
    amount: after.moved,
  });
}
