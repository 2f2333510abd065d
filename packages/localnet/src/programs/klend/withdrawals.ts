import { FARMS_PROGRAM } from '@tidegate/core/protocol/farms';
import type { LendingRules } from '@tidegate/core/protocol/klend';
import {
  type withdrawAccounts,
  withdrawObligationCollateralAndRedeemReserveCollateral,
  withdrawObligationCollateralAndRedeemReserveCollateralV2,
} from '@tidegate/core/protocol/klend/instructions';
import {
  type Position,
  type Terms,
  type Withdrawn,
  withdraw,
} from '@tidegate/core/protocol/klend/operations';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import type { Call } from '../../runtime/program.ts';
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
import { closeObligation, writePosition } from './position-accounts.ts';
import { requireRefreshOrder } from './refresh-order.ts';
import { burnCollateral, moveLiquidity } from './reserve-transfers.ts';
import {
  requireMintProgram,
  requireSupportedExtensions,
  requireTokens,
} from './user-token-accounts.ts';

export type WithdrawAccounts = Named<typeof withdrawAccounts>;

/** Collateral of an obligation, redeemed, into a wallet. */
export const withdrawHandlers = (rules: LendingRules): Handler[] => [
  handles(
    withdrawObligationCollateralAndRedeemReserveCollateral,
    52_800,
    ({ accounts, args }, call) => {
      const { obligation, withdrawReserve: reserve } = accounts;
      requireRefreshOrder(call, obligation, [{ reserve, kind: 'Collateral' }]);
      runWithdrawal({ call, rules }, accounts, args.collateralAmount);
    },
  ),
  handles(
    withdrawObligationCollateralAndRedeemReserveCollateralV2,
    47_500,
    ({ accounts, args }, call) => {
      requirePrograms(call, accounts, { farmsProgram: FARMS_PROGRAM });
      runWithdrawal({ call, rules }, accounts, args.collateralAmount);
      const { withdrawReserve: reserve } = accounts;
      refreshFarm(call, accounts, { ...accounts, reserve, kind: 'Collateral' });
    },
  ),
];

function runWithdrawal(lending: Lending, accounts: WithdrawAccounts, collateral: bigint): void {
  const { terms, position } = openWithdrawal(lending, accounts);
  const reserve = accounts.withdrawReserve;
  const after = withdraw(position, terms, { reserve, collateral, limit: 'max ltv' });
  finishWithdrawal(lending.call, accounts, { before: position, after });
}

export type OpenWithdrawal = { readonly terms: Terms; readonly position: Position };

/** What the program checks of the accounts, and the position they hold. */
export function openWithdrawal(lending: Lending, accounts: WithdrawAccounts): OpenWithdrawal {
  const { call } = lending;
  const { owner, lendingMarket: market, withdrawReserve, reserveLiquidityMint: mint } = accounts;
  const address = accounts.userDestinationLiquidity;
  const terms = openMarket(lending, market);
  requirePrograms(call, accounts, { collateralTokenProgram: TOKEN_PROGRAM });
  const obligation = readObligation(call, accounts.obligation, { market, owner });
  requireAuthority(call, market, accounts.lendingMarketAuthority);
  const reserve = readReserve(call, withdrawReserve, { market, slot: 'withdrawReserve' });
  requireAddresses(call, accounts, {
    reserveLiquidityMint: reserve.liquidity.mintPubkey,
    reserveSourceCollateral: reserve.collateral.supplyVault,
    reserveCollateralMint: reserve.collateral.mintPubkey,
    reserveLiquiditySupply: reserve.liquidity.supplyVault,
    instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
  });
  requireMintProgram(call, mint, accounts.liquidityTokenProgram);
  requireTokens(call, { slot: 'userDestinationLiquidity', address, mint, owner });
  requireForeign(address, reserve.liquidity.supplyVault);
  requireSupportedExtensions(call, { mint, account: address });
  return { terms, position: { obligation, reserves: new Map([[withdrawReserve, reserve]]) } };
}

/** Writes the position, pays it out, and ends an obligation that is empty now. */
export function finishWithdrawal(
  call: Call,
  accounts: WithdrawAccounts,
  { before, after }: { readonly before: Position; readonly after: Withdrawn },
): void {
  const { obligation, owner } = accounts;
  writePosition(call, obligation, { before, after });
  payWithdrawal(call, accounts, after);
  if (after.closes) closeObligation(call, obligation, owner);
}

/** Burns the cTokens in the vault of the reserve and pays what they were worth. */
function payWithdrawal(
  call: Call,
  accounts: WithdrawAccounts,
  { collateral, liquidity }: Pick<Withdrawn, 'collateral' | 'liquidity'>,
): void {
  const by = { lendingMarketAuthority: accounts.lendingMarketAuthority };
  call.log(
    `pnl: Withdraw obligation collateral ${collateral} and redeem reserve collateral ${liquidity}`,
  );
  burnCollateral(call, {
    mint: accounts.reserveCollateralMint,
    account: accounts.reserveSourceCollateral,
    by,
    amount: collateral,
  });
  moveLiquidity(call, {
    mint: accounts.reserveLiquidityMint,
    tokenProgram: accounts.liquidityTokenProgram,
    source: accounts.reserveLiquiditySupply,
    destination: accounts.userDestinationLiquidity,
    by,
    amount: liquidity,
  });
}
