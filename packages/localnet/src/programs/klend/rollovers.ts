import { FARMS_PROGRAM } from '@tidegate/core/protocol/farms';
import { klendRejection, type LendingRules } from '@tidegate/core/protocol/klend';
import { rolloverFixedTermBorrow } from '@tidegate/core/protocol/klend/instructions';
import { rollover } from '@tidegate/core/protocol/klend/operations';
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
  requirePrograms,
} from './lending-constraints.ts';
import { writeLendingPosition } from './position-accounts.ts';
import { transferLiquidity } from './reserve-transfers.ts';
import { requireMintProgram } from './user-token-accounts.ts';

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
