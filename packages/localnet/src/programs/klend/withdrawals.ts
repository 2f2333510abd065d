import { FARMS_PROGRAM } from '@tidegate/core/protocol/farms';
import type { LendingRules } from '@tidegate/core/protocol/klend';
import {
  type withdrawAccounts,
  withdrawObligationCollateralAndRedeemReserveCollateral,
  withdrawObligationCollateralAndRedeemReserveCollateralV2,
} from '@tidegate/core/protocol/klend/instructions';
import {
  type LendingContext,
  type ObligationPosition,
  type WithdrawResult,
  withdraw,
} from '@tidegate/core/protocol/klend/operations';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
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
  requireNotReserveVault,
  requirePrograms,
} from './lending-constraints.ts';
import { closeObligation, writeLendingPosition } from './position-accounts.ts';
import { requireRefreshOrder } from './refresh-order.ts';
import { burnCollateral, transferLiquidity } from './reserve-transfers.ts';
import {
  requireMintProgram,
  requireSupportedExtensions,
  requireTokenAccount,
} from './user-token-accounts.ts';

export type WithdrawAccounts = InstructionAccounts<typeof withdrawAccounts>;

/** Withdrawals: redeem collateral of an obligation into a wallet. */
export const withdrawHandlers = (rules: LendingRules): InstructionHandler[] => [
  anchorHandler(
    withdrawObligationCollateralAndRedeemReserveCollateral,
    52_800,
    ({ accounts, args }, call) => {
      const { obligation, withdrawReserve: reserve } = accounts;
      requireRefreshOrder(call, obligation, [{ reserve, kind: 'Collateral' }]);
      runWithdrawal({ call, rules }, accounts, args.collateralAmount);
    },
  ),
  anchorHandler(
    withdrawObligationCollateralAndRedeemReserveCollateralV2,
    47_500,
    ({ accounts, args }, call) => {
      requirePrograms(call, accounts, { farmsProgram: FARMS_PROGRAM });
      runWithdrawal({ call, rules }, accounts, args.collateralAmount);
      const { withdrawReserve: reserve } = accounts;
      refreshObligationFarm(call, accounts, { ...accounts, reserve, kind: 'Collateral' });
    },
  ),
];

function runWithdrawal(lending: LendingCall, accounts: WithdrawAccounts, collateral: bigint): void {
  const { context, position } = loadWithdrawal(lending, accounts);
  const reserve = accounts.withdrawReserve;
  const after = withdraw(position, context, { reserve, collateral, limit: 'max ltv' });
  settleWithdrawal(lending.call, accounts, { before: position, after });
}

export type WithdrawalContext = {
  readonly context: LendingContext;
  readonly position: ObligationPosition;
};

/** Checks the accounts and loads the position. */
export function loadWithdrawal(
  lending: LendingCall,
  accounts: WithdrawAccounts,
): WithdrawalContext {
  const { call } = lending;
  const { owner, lendingMarket: market, withdrawReserve, reserveLiquidityMint: mint } = accounts;
  const address = accounts.userDestinationLiquidity;
  const context = loadMarketContext(lending, market);
  requirePrograms(call, accounts, { collateralTokenProgram: TOKEN_PROGRAM });
  const obligation = readObligation(call, accounts.obligation, { market, owner });
  requireMarketAuthority(call, market, accounts.lendingMarketAuthority);
  const reserve = readReserve(call, withdrawReserve, { market, slot: 'withdrawReserve' });
  requireAddresses(call, accounts, {
    reserveLiquidityMint: reserve.liquidity.mintPubkey,
    reserveSourceCollateral: reserve.collateral.supplyVault,
    reserveCollateralMint: reserve.collateral.mintPubkey,
    reserveLiquiditySupply: reserve.liquidity.supplyVault,
    instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
  });
  requireMintProgram(call, mint, accounts.liquidityTokenProgram);
  requireTokenAccount(call, { slot: 'userDestinationLiquidity', address, mint, owner });
  requireNotReserveVault(address, reserve.liquidity.supplyVault);
  requireSupportedExtensions(call, { mint, account: address });
  return { context, position: { obligation, reserves: new Map([[withdrawReserve, reserve]]) } };
}

/** Writes the position, pays out, and closes an obligation that is empty. */
export function settleWithdrawal(
  call: InvokeContext,
  accounts: WithdrawAccounts,
  { before, after }: { readonly before: ObligationPosition; readonly after: WithdrawResult },
): void {
  const { obligation, owner } = accounts;
  writeLendingPosition(call, obligation, { before, after });
  payWithdrawal(call, accounts, after);
  if (after.closes) closeObligation(call, obligation, owner);
}

/** Burns the cTokens in the reserve's vault and pays out their value. */
function payWithdrawal(
  call: InvokeContext,
  accounts: WithdrawAccounts,
  { collateral, liquidity }: Pick<WithdrawResult, 'collateral' | 'liquidity'>,
): void {
  const signer = { lendingMarketAuthority: accounts.lendingMarketAuthority };
  call.log(
    `pnl: Withdraw obligation collateral ${collateral} and redeem reserve collateral ${liquidity}`,
  );
  burnCollateral(call, {
    mint: accounts.reserveCollateralMint,
    account: accounts.reserveSourceCollateral,
    signer,
    amount: collateral,
  });
  transferLiquidity(call, {
    mint: accounts.reserveLiquidityMint,
    tokenProgram: accounts.liquidityTokenProgram,
    source: accounts.reserveLiquiditySupply,
    destination: accounts.userDestinationLiquidity,
    signer,
    amount: liquidity,
  });
}
