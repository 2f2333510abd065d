import type { Address } from '@tidegate/core/base';
import {
  KLEND_PROGRAM,
  lendingMarketAuthority,
  ownerQueuedCollateralVault,
  withdrawTicketAddress,
} from '@tidegate/core/protocol/klend';
import {
  enqueueToWithdraw,
  withdrawQueuedLiquidity,
} from '@tidegate/core/protocol/klend/instructions';
import {
  type Reserve,
  reserve as reserveLayout,
  withdrawTicket,
} from '@tidegate/core/protocol/klend/layout';
import {
  ctokenVault,
  eventAuthority,
  globalConfigAddress,
  KVAULT_PROGRAM,
} from '@tidegate/core/protocol/kvault';
import { redeemInKind } from '@tidegate/core/protocol/kvault/instructions';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  associatedTokenAddress,
  INSTRUCTIONS_SYSVAR,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '@tidegate/core/protocol/spl';
import type { Signer } from '../../runtime/signer.ts';
import type { TransactionRecord } from '../../runtime/transactions/transaction-record.ts';
import { decodeCached } from '../../runtime/typed-accounts.ts';
import type { Simulator } from '../setup/simulator.ts';
import { refreshReserveInstruction } from './lending-actions.ts';
import { openTokenAccount, tokenBalanceOf } from './token-instructions.ts';
import { findVault, type VaultHolding } from './vault-actions.ts';
import { reservesAndMarkets } from './vault-investment.ts';

/** Withdraws shares as cTokens of a reserve, for a vault that has no other way to pay. */
export function redeemShares(
  simulator: Simulator,
  { owner, vault }: VaultHolding,
  { reserve, sharesAmount }: { readonly reserve: Address; readonly sharesAmount: bigint },
): TransactionRecord | undefined {
  const fields = findVault(simulator, vault);
  if (fields === undefined) return undefined;
  const user = owner.address;
  const { sharesMint, baseVaultAuthority } = fields;
  const ctoken = ctokenOf(reserveAt(simulator, reserve));
  const redeem = redeemInKind.build(KVAULT_PROGRAM, {
    accounts: {
      user,
      vaultState: vault,
      globalConfig: globalConfigAddress(),
      baseVaultAuthority,
      reserve,
      ctokenVault: ctokenVault(vault, reserve),
      userCtokenTa: associatedTokenAddress(user, ctoken.mint, TOKEN_PROGRAM),
      ctokenMint: ctoken.mint,
      userSharesTa: associatedTokenAddress(user, sharesMint, TOKEN_PROGRAM),
      sharesMint,
      reserveCollateralTokenProgram: TOKEN_PROGRAM,
      sharesTokenProgram: TOKEN_PROGRAM,
      klendProgram: KLEND_PROGRAM,
      eventAuthority: eventAuthority(),
      program: KVAULT_PROGRAM,
    },
    args: { sharesAmount },
    remaining: reservesAndMarkets(simulator, fields),
  });
  return simulator.execute({
    instructions: [openTokenAccount(ctoken, user), redeem],
    signers: [owner],
  });
}

/** In cTokens that the wallet holds. */
export const collateralBalance = (simulator: Simulator, reserve: Address, owner: Address): bigint =>
  tokenBalanceOf(simulator, owner, ctokenOf(reserveAt(simulator, reserve)));

/** Puts cTokens of a wallet into the withdraw queue of the reserve. */
export function enqueueCollateral(
  simulator: Simulator,
  reserve: Address,
  { owner, amount }: { readonly owner: Signer; readonly amount: bigint },
): TransactionRecord {
  const fields = reserveAt(simulator, reserve);
  const { lendingMarket, liquidity, collateral, withdrawQueue } = fields;
  const token = { mint: liquidity.mintPubkey, decimals: 0, tokenProgram: liquidity.tokenProgram };
  const { address } = owner;
  const enqueue = enqueueToWithdraw.build(KLEND_PROGRAM, {
    accounts: {
      owner: address,
      lendingMarket,
      lendingMarketAuthority: lendingMarketAuthority(lendingMarket),
      reserve,
      userSourceCollateralTa: associatedTokenAddress(address, collateral.mintPubkey, TOKEN_PROGRAM),
      userDestinationLiquidityTa: associatedTokenAddress(address, token.mint, token.tokenProgram),
      reserveLiquidityMint: token.mint,
      reserveCollateralMint: collateral.mintPubkey,
      collateralTokenProgram: TOKEN_PROGRAM,
      withdrawTicket: withdrawTicketAddress(reserve, withdrawQueue.nextIssuedTicketSequenceNumber),
      ownerQueuedCollateralVault: ownerQueuedCollateralVault(reserve, address),
      systemProgram: SYSTEM_PROGRAM,
      progressCallbackCustomAccount0: undefined,
      progressCallbackCustomAccount1: undefined,
      instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
    },
    args: { collateralAmount: amount, progressCallbackType: 0 },
  });
  const instructions = [
    openTokenAccount(token, address),
    refreshReserveInstruction(simulator, reserve),
    enqueue,
  ];
  return simulator.execute({ instructions, signers: [owner] });
}

/** Pays the first ticket of the queue with the liquidity of the reserve. Anyone may. */
export function payFirstTicket(
  simulator: Simulator,
  reserve: Address,
  payer: Signer,
): TransactionRecord | undefined {
  const { lendingMarket, liquidity, collateral, withdrawQueue } = reserveAt(simulator, reserve);
  const first = withdrawQueue.nextWithdrawableTicketSequenceNumber;
  const address = withdrawTicketAddress(reserve, first);
  const account = simulator.bank.account(address);
  if (account === undefined) return undefined;
  const ticket = decodeCached(withdrawTicket, account);
  const pay = withdrawQueuedLiquidity.build(KLEND_PROGRAM, {
    accounts: {
      payer: payer.address,
      lendingMarket,
      lendingMarketAuthority: lendingMarketAuthority(lendingMarket),
      reserve,
      reserveLiquidityMint: liquidity.mintPubkey,
      reserveCollateralMint: collateral.mintPubkey,
      reserveLiquiditySupply: liquidity.supplyVault,
      ownerQueuedCollateralVault: ownerQueuedCollateralVault(reserve, ticket.owner),
      userDestinationLiquidity: ticket.userDestinationLiquidityTa,
      collateralTokenProgram: TOKEN_PROGRAM,
      liquidityTokenProgram: liquidity.tokenProgram,
      withdrawTicket: address,
      withdrawTicketOwner: ticket.owner,
      associatedTokenProgram: ASSOCIATED_TOKEN_PROGRAM,
      systemProgram: SYSTEM_PROGRAM,
      progressCallbackProgram: undefined,
      progressCallbackCustomAccount0: undefined,
      progressCallbackCustomAccount1: undefined,
      instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
    },
    args: {},
  });
  const instructions = [refreshReserveInstruction(simulator, reserve), pay];
  return simulator.execute({ instructions, signers: [payer] });
}

const reserveAt = (simulator: Simulator, reserve: Address): Reserve =>
  decodeCached(reserveLayout, simulator.requireAccount(reserve));

const ctokenOf = ({ collateral }: Reserve) => ({
  mint: collateral.mintPubkey,
  decimals: 0,
  tokenProgram: TOKEN_PROGRAM,
});
