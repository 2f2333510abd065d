import { FARMS_PROGRAM } from '../../../protocol/farms/program.ts';
import {
  type withdrawAccounts,
  withdrawObligationCollateralAndRedeemReserveCollateral,
} from '../../../protocol/klend/instructions/withdraw-obligation-collateral-and-redeem-reserve-collateral.ts';
import { withdrawObligationCollateralAndRedeemReserveCollateralV2 } from '../../../protocol/klend/instructions/withdraw-obligation-collateral-and-redeem-reserve-collateral-v2.ts';
import type { Position, Terms } from '../../../protocol/klend/operations/position.ts';
import { type Withdrawn, withdraw } from '../../../protocol/klend/operations/withdraw.ts';
import type { LendingRules } from '../../../protocol/klend/rules.ts';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '../../../protocol/spl/programs.ts';
import type { Call } from '../../runtime/program.ts';
import { type Handler, handles } from '../anchor-program.ts';
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
} from './constraints.ts';
import { refreshFarm } from './farm-stake.ts';
import { closeObligation, writePosition } from './positions.ts';
import { requireRefreshOrder } from './refresh-order.ts';
import { burnCollateral, moveLiquidity } from './token-moves.ts';
import { requireMintProgram, requireSupportedExtensions, requireTokens } from './user-tokens.ts';

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
