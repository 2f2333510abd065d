import { type Address, toAddress } from '@tidegate/core/base';
import { FARMS_PROGRAM } from '@tidegate/core/protocol/farms';
import { klendRefuses, type LendingRules } from '@tidegate/core/protocol/klend';
import {
  type repayAccounts,
  repayObligationLiquidity,
  repayObligationLiquidityV2,
} from '@tidegate/core/protocol/klend/instructions';
import {
  type Position,
  type Repaid,
  repay,
  type Terms,
} from '@tidegate/core/protocol/klend/operations';
import { INSTRUCTIONS_SYSVAR } from '@tidegate/core/protocol/spl';
import { type Handler, handles } from '../framework/anchor-program.ts';
import { refreshFarm } from './farm-stake.ts';
import {
  type Lending,
  type Named,
  openMarket,
  readObligation,
  readReserve,
  requireAddresses,
  requireAuthority,
  requireForeign,
  requirePrograms,
} from './lending-constraints.ts';
import { readGroupReserves, writePosition } from './position-accounts.ts';
import { logCounters } from './position-log.ts';
import { requireRefreshOrder } from './refresh-order.ts';
import { moveLiquidity } from './reserve-transfers.ts';
import {
  requireMintProgram,
  requireSupportedExtensions,
  requireTokens,
} from './user-token-accounts.ts';

/** In whose company no debt may be repaid. */
const RESTRICTED_PROGRAMS = [toAddress('jupr81YtYssSyPt8jbnGuiWon5f6x9TcDEFxYe3Bdzi')];

export type RepayAccounts = Named<typeof repayAccounts>;

export type RepayCall = {
  readonly accounts: RepayAccounts;
  readonly amount: bigint;
  readonly remaining: readonly Address[];
};

/** Debts of an obligation, paid by anybody. */
export const repayHandlers = (rules: LendingRules): Handler[] => [
  handles(repayObligationLiquidity, 29_400, ({ accounts, args, remaining }, call) => {
    const { obligation, repayReserve: reserve } = accounts;
    requireRefreshOrder(call, obligation, [{ reserve, kind: 'Debt' }]);
    runRepay({ call, rules }, { accounts, amount: args.liquidityAmount, remaining });
  }),
  handles(repayObligationLiquidityV2, 33_900, ({ accounts, args, remaining }, call) => {
    requirePrograms(call, accounts, { farmsProgram: FARMS_PROGRAM });
    requireAuthority(call, accounts.lendingMarket, accounts.lendingMarketAuthority);
    runRepay({ call, rules }, { accounts, amount: args.liquidityAmount, remaining });
    refreshFarm(call, accounts, { ...accounts, reserve: accounts.repayReserve, kind: 'Debt' });
  }),
];

function runRepay(lending: Lending, request: RepayCall): void {
  const { before, after } = payRepayment(lending, request);
  writePosition(lending.call, request.accounts.obligation, { before, after });
}

export type Repayment = {
  readonly terms: Terms;
  readonly before: Position;
  readonly after: Repaid;
};

/** The debt repaid and its tokens moved; the accounts are still to be written. */
export function payRepayment(lending: Lending, request: RepayCall): Repayment {
  const { call } = lending;
  const { accounts, amount } = request;
  const { terms, position: before } = openRepayment(lending, request);
  const after = repay(before, terms, { reserve: accounts.repayReserve, amount });
  logCounters(call, accounts.repayReserve, { before, after });
  call.log(`pnl: Repaying obligation liquidity ${after.repaid} liquidity_amount ${amount}`);
  moveLiquidity(call, {
    mint: accounts.reserveLiquidityMint,
    tokenProgram: accounts.tokenProgram,
    source: accounts.userSourceLiquidity,
    destination: accounts.reserveDestinationLiquidity,
    by: { wallet: accounts.owner },
    amount: after.repaid,
  });
  return { terms, before, after };
}

/** What the program checks of the accounts, and the position they hold. */
function openRepayment(
  lending: Lending,
  { accounts, remaining }: RepayCall,
): { readonly terms: Terms; readonly position: Position } {
  const { call } = lending;
  const { lendingMarket: market, repayReserve, reserveLiquidityMint: mint } = accounts;
  const address = accounts.userSourceLiquidity;
  const terms = openMarket(lending, market);
  const obligation = readObligation(call, accounts.obligation, { market });
  const reserve = readReserve(call, repayReserve, { market, slot: 'repayReserve' });
  requireAddresses(call, accounts, {
    reserveLiquidityMint: reserve.liquidity.mintPubkey,
    reserveDestinationLiquidity: reserve.liquidity.supplyVault,
    instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
  });
  requireMintProgram(call, mint, accounts.tokenProgram);
  requireTokens(call, { slot: 'userSourceLiquidity', address, mint });
  const programs = call.instructions.map(({ programAddress }) => programAddress);
  if (programs.some((program) => RESTRICTED_PROGRAMS.includes(program))) {
    throw klendRefuses('TransactionIncludesRestrictedPrograms', 'another program may not be there');
  }
  requireForeign(address, reserve.liquidity.supplyVault);
  requireSupportedExtensions(call, { mint, account: address });
  const reserves = new Map(readGroupReserves(call, obligation, remaining));
  return { terms, position: { obligation, reserves: reserves.set(repayReserve, reserve) } };
}
