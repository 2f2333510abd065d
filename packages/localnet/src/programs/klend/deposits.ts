import { FARMS_PROGRAM } from '@tidegate/core/protocol/farms';
import type { LendingRules } from '@tidegate/core/protocol/klend';
import {
  type depositAccounts,
  depositReserveLiquidityAndObligationCollateral,
  depositReserveLiquidityAndObligationCollateralV2,
} from '@tidegate/core/protocol/klend/instructions';
import type { DepositTerms } from '@tidegate/core/protocol/klend/math';
import { deposit, type Position, type Terms } from '@tidegate/core/protocol/klend/operations';
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
  requireActive,
  requireAddresses,
  requireAuthority,
  requireForeign,
  requirePrograms,
} from './lending-constraints.ts';
import { writePosition } from './position-accounts.ts';
import { requireRefreshOrder } from './refresh-order.ts';
import { mintCollateral, moveLiquidity } from './reserve-transfers.ts';
import {
  requireMintProgram,
  requireSupportedExtensions,
  requireTokens,
} from './user-token-accounts.ts';

export type DepositAccounts = Named<typeof depositAccounts>;

/** Liquidity of a wallet into an obligation. */
export const depositHandlers = (rules: LendingRules): Handler[] => [
  handles(depositReserveLiquidityAndObligationCollateral, 61_900, ({ accounts, args }, call) => {
    const { obligation, reserve } = accounts;
    requireRefreshOrder(call, obligation, [{ reserve, kind: 'Collateral' }]);
    runDeposit({ call, rules }, accounts, args.liquidityAmount);
  }),
  handles(depositReserveLiquidityAndObligationCollateralV2, 56_000, ({ accounts, args }, call) => {
    requirePrograms(call, accounts, { farmsProgram: FARMS_PROGRAM });
    runDeposit({ call, rules }, accounts, args.liquidityAmount);
    refreshFarm(call, accounts, { ...accounts, kind: 'Collateral' });
  }),
];

function runDeposit(lending: Lending, accounts: DepositAccounts, amount: bigint): void {
  const { call } = lending;
  const { terms, position } = openDeposit(lending, accounts);
  logAsked(call, accounts, amount);
  const after = deposit(position, terms, { reserve: accounts.reserve, amount });
  writePosition(call, accounts.obligation, { before: position, after });
  payDeposit(call, accounts, after);
}

export type OpenDeposit = { readonly terms: Terms; readonly position: Position };

/** What the program checks of the accounts, and the position they hold. */
export function openDeposit(lending: Lending, accounts: DepositAccounts): OpenDeposit {
  const { call } = lending;
  const {
    owner,
    lendingMarket: market,
    reserveLiquidityMint: mint,
    userSourceLiquidity,
  } = accounts;
  const terms = openMarket(lending, market);
  requirePrograms(call, accounts, { collateralTokenProgram: TOKEN_PROGRAM });
  const obligation = readObligation(call, accounts.obligation, { market, owner });
  requireAuthority(call, market, accounts.lendingMarketAuthority);
  const reserve = readReserve(call, accounts.reserve, { market });
  requireAddresses(call, accounts, {
    reserveLiquidityMint: reserve.liquidity.mintPubkey,
    reserveLiquiditySupply: reserve.liquidity.supplyVault,
    reserveCollateralMint: reserve.collateral.mintPubkey,
    reserveDestinationDepositCollateral: reserve.collateral.supplyVault,
    instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
  });
  requireMintProgram(call, mint, accounts.liquidityTokenProgram);
  const source = { slot: 'userSourceLiquidity', address: userSourceLiquidity };
  requireTokens(call, { ...source, mint, owner });
  requireForeign(userSourceLiquidity, reserve.liquidity.supplyVault);
  requireActive(reserve);
  requireSupportedExtensions(call, { mint, account: userSourceLiquidity });
  return { terms, position: { obligation, reserves: new Map([[accounts.reserve, reserve]]) } };
}

export function logAsked(call: Call, { reserve }: DepositAccounts, amount: bigint): void {
  const name = 'DepositReserveLiquidityAndObligationCollateral';
  call.log(`${name} Reserve ${reserve} amount ${amount}`);
}

/** Takes the liquidity and mints the cTokens into the vault of the reserve. */
export function payDeposit(
  call: Call,
  accounts: DepositAccounts,
  { liquidity, collateral }: DepositTerms,
): void {
  call.log(`pnl: Deposit reserve liquidity ${liquidity} and obligation collateral ${collateral}`);
  moveLiquidity(call, {
    mint: accounts.reserveLiquidityMint,
    tokenProgram: accounts.liquidityTokenProgram,
    source: accounts.userSourceLiquidity,
    destination: accounts.reserveLiquiditySupply,
    by: { wallet: accounts.owner },
    amount: liquidity,
  });
  mintCollateral(call, {
    mint: accounts.reserveCollateralMint,
    account: accounts.reserveDestinationDepositCollateral,
    by: { lendingMarketAuthority: accounts.lendingMarketAuthority },
    amount: collateral,
  });
}
