import type { Address } from '#core/base/encoding/address.ts';
import { recoverInvalidTicketCollateral } from '#core/protocol/klend/instructions/administration.ts';
import {
  cancelWithdrawTicket,
  enqueueToWithdraw,
  withdrawQueuedLiquidity,
} from '#core/protocol/klend/instructions/withdraw-queue.ts';
import { lendingMarket as lendingMarketLayout } from '#core/protocol/klend/layout/lending-market.ts';
import {
  lendingMarketAuthority,
  ownerQueuedCollateralVault,
  withdrawTicketAddress,
} from '#core/protocol/klend/pda.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  INSTRUCTIONS_SYSVAR,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '#core/protocol/spl/programs.ts';
import {
  accountInSlot,
  type LendingFlowVariant,
  lendingFlowVariant,
  runError,
  runVariant,
  withFields,
} from '../flows/lending-flow-variants.ts';
import { decodeReserveAt, refreshReservesInstruction } from './refresh-instructions.ts';

/** The cTokens of a ticket. */
export const AMOUNT = 250_000_000n;

type Accounts = ReturnType<typeof queueAccounts>;
type Instructions = LendingFlowVariant['instructions'];

/** The wallet of a recorded redemption, in a market with a queue. */
export function queueCase(isEnabled = true) {
  const recorded = lendingFlowVariant('27');
  const market = accountInSlot(recorded, 'redeemReserveCollateral', 'lendingMarket');
  const flag = isEnabled ? 1 : 0;
  const variant = withFields(recorded, [lendingMarketLayout, market], (fields) => ({
    ...fields,
    withdrawTicketIssuanceEnabled: flag,
    withdrawTicketRedemptionEnabled: flag,
    withdrawTicketCancellationEnabled: flag,
  }));
  const accounts = queueAccounts(variant);
  const refresh = refreshReservesInstruction(variant, [accounts.reserve]);
  const withRefresh = (instructions: Instructions) => ({
    ...variant,
    instructions: [refresh, ...instructions],
  });
  return {
    ...accounts,
    variant,
    refresh,
    enqueue: enqueueWith(accounts),
    pay: payWith(accounts),
    cancel: cancelWith(accounts),
    recover: recoverWith(accounts),
    run: (...instructions: Instructions) => runVariant(withRefresh(instructions)),
    failure: (...instructions: Instructions) => runError(withRefresh(instructions)),
  };
}

function queueAccounts(variant: LendingFlowVariant) {
  const slot = (account: string) => accountInSlot(variant, 'redeemReserveCollateral', account);
  const [owner, lendingMarket, reserve] = [slot('owner'), slot('lendingMarket'), slot('reserve')];
  const { liquidity, collateral } = decodeReserveAt(variant.accounts, reserve);
  return {
    owner,
    reserve,
    wallet: slot('userSourceCollateral'),
    destination: slot('userDestinationLiquidity'),
    ticket: (number: bigint) => withdrawTicketAddress(reserve, number),
    liquidity,
    common: {
      lendingMarket,
      lendingMarketAuthority: lendingMarketAuthority(lendingMarket),
      reserve,
      reserveLiquidityMint: liquidity.mintPubkey,
      reserveCollateralMint: collateral.mintPubkey,
      collateralTokenProgram: TOKEN_PROGRAM,
      ownerQueuedCollateralVault: ownerQueuedCollateralVault(reserve, owner),
      systemProgram: SYSTEM_PROGRAM,
      progressCallbackCustomAccount0: undefined,
      progressCallbackCustomAccount1: undefined,
      instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
    },
  };
}

const enqueueWith =
  ({ common, owner, wallet, destination, ticket }: Accounts) =>
  (number: bigint, changes: { callback?: number; vault?: Address } = {}) =>
    enqueueToWithdraw.build(KLEND_PROGRAM, {
      accounts: {
        ...common,
        owner,
        userSourceCollateralTa: wallet,
        userDestinationLiquidityTa: destination,
        withdrawTicket: ticket(number),
        ownerQueuedCollateralVault: changes.vault ?? common.ownerQueuedCollateralVault,
      },
      args: { collateralAmount: AMOUNT, progressCallbackType: changes.callback ?? 0 },
    });

const payWith =
  ({ common, owner, destination, ticket, liquidity }: Accounts) =>
  (number: bigint) =>
    withdrawQueuedLiquidity.build(KLEND_PROGRAM, {
      accounts: {
        ...common,
        payer: owner,
        reserveLiquiditySupply: liquidity.supplyVault,
        userDestinationLiquidity: destination,
        liquidityTokenProgram: liquidity.tokenProgram,
        withdrawTicket: ticket(number),
        withdrawTicketOwner: owner,
        associatedTokenProgram: ASSOCIATED_TOKEN_PROGRAM,
        progressCallbackProgram: undefined,
      },
      args: {},
    });

const cancelWith =
  ({ common, owner, wallet, ticket }: Accounts) =>
  (number: bigint, amount: bigint, signer = owner) =>
    cancelWithdrawTicket.build(KLEND_PROGRAM, {
      accounts: {
        ...common,
        owner: signer,
        userDestinationCollateral: wallet,
        withdrawTicket: ticket(number),
      },
      args: { ticketSequenceNumber: number, collateralAmountToCancel: amount },
    });

const recoverWith =
  ({ common, owner, wallet, ticket }: Accounts) =>
  (number: bigint) =>
    recoverInvalidTicketCollateral.build(KLEND_PROGRAM, {
      accounts: {
        ...common,
        payer: owner,
        userSourceCollateral: wallet,
        withdrawTicket: ticket(number),
        withdrawTicketOwner: owner,
      },
      args: { ticketSequenceNumber: number },
    });
