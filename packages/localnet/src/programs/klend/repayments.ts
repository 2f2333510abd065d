import { type Address, toAddress } from '@tidegate/core/base';
import { FARMS_PROGRAM } from '@tidegate/core/protocol/farms';
import { klendRejection, type LendingRules } from '@tidegate/core/protocol/klend';
import {
  type repayAccounts,
  repayObligationLiquidity,
  repayObligationLiquidityV2,
} from '@tidegate/core/protocol/klend/instructions';
import {
  type LendingContext,
  type ObligationPosition,
  type RepayResult,
  repay,
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
import { readElevationGroupReserves, writeLendingPosition } from './position-accounts.ts';
import { logDebtCounters } from './position-log.ts';
import { requireRefreshOrder } from './refresh-order.ts';
import { transferLiquidity } from './reserve-transfers.ts';
import {
  requireMintProgram,
  requireSupportedExtensions,
  requireTokenAccount,
} from './user-token-accounts.ts';

/** Repaying fails in a transaction with these programs. */
const RESTRICTED_PROGRAMS = [toAddress('jupr81YtYssSyPt8jbnGuiWon5f6x9TcDEFxYe3Bdzi')];

export type RepayAccounts = InstructionAccounts<typeof repayAccounts>;

export type RepayInstruction = {
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

export type Repayment = {
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
