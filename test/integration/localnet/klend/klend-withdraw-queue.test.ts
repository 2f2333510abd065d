import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { recoverInvalidTicketCollateral } from '#core/protocol/klend/instructions/administration/recover-invalid-ticket-collateral.ts';
import { cancelWithdrawTicket } from '#core/protocol/klend/instructions/cancel-withdraw-ticket.ts';
import { enqueueToWithdraw } from '#core/protocol/klend/instructions/enqueue-to-withdraw.ts';
import { withdrawQueuedLiquidity } from '#core/protocol/klend/instructions/withdraw-queued-liquidity.ts';
import { lendingMarket as lendingMarketLayout } from '#core/protocol/klend/layout/lending-market.ts';
import { withdrawTicket } from '#core/protocol/klend/layout/withdraw-ticket.ts';
import {
  lendingMarketAuthority,
  ownerQueuedCollateralVault,
  withdrawTicketAddress,
} from '#core/protocol/klend/pda.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { approve } from '#core/protocol/spl/instructions/approve.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  INSTRUCTIONS_SYSVAR,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '#core/protocol/spl/programs.ts';
import {
  accountInSlot,
  lendingFlowVariant,
  runError,
  runVariant,
  withChanges,
  withFields,
} from '../../../support/flows/lending-flow-variants.ts';
import {
  decodeReserveAt,
  refreshReservesInstruction,
  tokenBalanceAt,
} from '../../../support/lending/refresh-instructions.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';

const SEED_CONSTRAINT = 2006;
const AMOUNT = 250_000_000n;

/** The wallet of a recorded redemption, in a market with a queue. */
function queueCase(isEnabled = true) {
  const name = 'redeemReserveCollateral';
  const recorded = lendingFlowVariant('27');
  const slot = (account: string) => accountInSlot(recorded, name, account);
  const [owner, market, reserve] = [slot('owner'), slot('lendingMarket'), slot('reserve')];
  const flag = isEnabled ? 1 : 0;
  const variant = withFields(recorded, [lendingMarketLayout, market], (fields) => ({
    ...fields,
    withdrawTicketIssuanceEnabled: flag,
    withdrawTicketRedemptionEnabled: flag,
    withdrawTicketCancellationEnabled: flag,
  }));
  const { liquidity, collateral } = decodeReserveAt(variant.accounts, reserve);
  const common = {
    lendingMarket: market,
    lendingMarketAuthority: lendingMarketAuthority(market),
    reserve,
    reserveLiquidityMint: liquidity.mintPubkey,
    reserveCollateralMint: collateral.mintPubkey,
    collateralTokenProgram: TOKEN_PROGRAM,
    ownerQueuedCollateralVault: ownerQueuedCollateralVault(reserve, owner),
    systemProgram: SYSTEM_PROGRAM,
    progressCallbackCustomAccount0: undefined,
    progressCallbackCustomAccount1: undefined,
    instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
  };
  const [wallet, destination] = [slot('userSourceCollateral'), slot('userDestinationLiquidity')];
  const ticket = (number: bigint) => withdrawTicketAddress(reserve, number);
  const enqueue = (number: bigint, changes: { callback?: number; vault?: Address } = {}) =>
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
  const pay = (number: bigint) =>
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
  const cancel = (number: bigint, amount: bigint, signer = owner) =>
    cancelWithdrawTicket.build(KLEND_PROGRAM, {
      accounts: {
        ...common,
        owner: signer,
        userDestinationCollateral: wallet,
        withdrawTicket: ticket(number),
      },
      args: { ticketSequenceNumber: number, collateralAmountToCancel: amount },
    });
  const recover = (number: bigint) =>
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
  const refresh = refreshReservesInstruction(variant, [reserve]);
  const run = (...instructions: Parameters<typeof runVariant>[0]['instructions']) =>
    runVariant({ ...variant, instructions: [refresh, ...instructions] });
  const failure = (...instructions: Parameters<typeof runVariant>[0]['instructions']) =>
    runError({ ...variant, instructions: [refresh, ...instructions] });
  return {
    variant,
    owner,
    reserve,
    wallet,
    destination,
    common,
    ticket,
    enqueue,
    pay,
    cancel,
    recover,
    refresh,
    run,
    failure,
  };
}

test('a ticket locks cTokens, and has its place, owner and destination', () => {
  const { variant, owner, reserve, wallet, destination, common, ticket, enqueue, run } =
    queueCase();
  const { error, live } = run(enqueue(0n), enqueue(1n));
  expect(error).toBeUndefined();
  expect(withdrawTicket.decode(live.get(ticket(1n)))).toMatchObject({
    sequenceNumber: 1n,
    owner,
    reserve,
    userDestinationLiquidityTa: destination,
    queuedCollateralAmount: AMOUNT,
    createdAtTimestamp: variant.flow.at.unix,
    invalid: 0,
  });
  const vault = tokenAccount.decode(live.get(common.ownerQueuedCollateralVault));
  expect(vault).toMatchObject({ amount: 2n * AMOUNT, owner: common.lendingMarketAuthority });
  expect(tokenBalanceAt(live, wallet)).toBe(tokenBalanceAt(variant.accounts, wallet) - 2n * AMOUNT);
  expect(decodeReserveAt(live, reserve).withdrawQueue).toMatchObject({
    queuedCollateralAmount: 2n * AMOUNT,
    nextIssuedTicketSequenceNumber: 2n,
    nextWithdrawableTicketSequenceNumber: 0n,
  });
});

test('a paid ticket is closed, burns its cTokens, and pays as a redemption does', () => {
  const { variant, owner, reserve, destination, common, ticket, enqueue, pay, refresh, run } =
    queueCase();
  const { error, live } = run(enqueue(0n), enqueue(1n), refresh, pay(0n));
  expect(error).toBeUndefined();
  expect(live.changes().get(ticket(0n))).toBeUndefined();
  expect(live.get(ticket(1n)).owner).toBe(KLEND_PROGRAM);
  const [before, after] = [variant.accounts, live].map((accounts) =>
    decodeReserveAt(accounts, reserve),
  );
  const paid = tokenBalanceAt(live, destination) - tokenBalanceAt(variant.accounts, destination);
  expect(paid).toBeGreaterThan(0n);
  expect(after?.liquidity.totalAvailableAmount).toBe(
    (before?.liquidity.totalAvailableAmount ?? 0n) - paid,
  );
  expect(after?.collateral.mintTotalSupply).toBe(
    (before?.collateral.mintTotalSupply ?? 0n) - AMOUNT,
  );
  expect(tokenBalanceAt(live, common.ownerQueuedCollateralVault)).toBe(AMOUNT);
  expect(after?.withdrawQueue.nextWithdrawableTicketSequenceNumber).toBe(1n);
  // the rent of a ticket and of the vault stay, 520 and 165 bytes, and what the ticket keeps to create its destination
  const rent = (520n + 128n + 165n + 128n + 1_000n + 128n) * 6_960n;
  expect(live.before(owner).lamports - live.get(owner).lamports).toBe(rent);
});

test('tickets are issued and paid in order, to the accounts of their owner', () => {
  const { enqueue, pay, refresh, failure } = queueCase();
  expect(failure(enqueue(1n))).toBe(SEED_CONSTRAINT);
  expect(failure(enqueue(0n), enqueue(1n), refresh, pay(1n))).toBe(SEED_CONSTRAINT);
  expect(failure(enqueue(0n, { vault: numberedAddress(41) }))).toBe(SEED_CONSTRAINT);
});

test('a market without a queue issues no tickets: 6145; no wallet can ask for a callback: 6155', () => {
  const closed = queueCase(false);
  expect(closed.failure(closed.enqueue(0n))).toBe(6145);
  const { enqueue, failure } = queueCase();
  expect(failure(enqueue(0n, { callback: 1 }))).toBe(6155);
});

test('a cancelled part goes back to the owner, and the ticket keeps its place', () => {
  const { variant, reserve, wallet, ticket, enqueue, cancel, run } = queueCase();
  const { error, live } = run(enqueue(0n), enqueue(1n), cancel(0n, 100_000_000n));
  expect(error).toBeUndefined();
  const left = AMOUNT - 100_000_000n;
  expect(withdrawTicket.decode(live.get(ticket(0n))).queuedCollateralAmount).toBe(left);
  expect(tokenBalanceAt(live, wallet)).toBe(
    tokenBalanceAt(variant.accounts, wallet) - AMOUNT - left,
  );
  expect(decodeReserveAt(live, reserve).withdrawQueue).toMatchObject({
    queuedCollateralAmount: AMOUNT + left,
    nextWithdrawableTicketSequenceNumber: 0n,
  });
});

test('a fully cancelled ticket stays until the queue passes it without a payment', () => {
  const { destination, variant, reserve, ticket, enqueue, cancel, pay, refresh, run, failure } =
    queueCase();
  const cancelled = [enqueue(0n), enqueue(1n), cancel(0n, AMOUNT)];
  const { error, live } = run(...cancelled, refresh, pay(0n));
  expect(error).toBeUndefined();
  expect(live.changes().get(ticket(0n))).toBeUndefined();
  expect(tokenBalanceAt(live, destination)).toBe(tokenBalanceAt(variant.accounts, destination));
  expect(decodeReserveAt(live, reserve).withdrawQueue).toMatchObject({
    queuedCollateralAmount: AMOUNT,
    nextWithdrawableTicketSequenceNumber: 1n,
  });
  expect(failure(...cancelled, cancel(0n, 1n))).toBe(6171);
});

test('only its owner cancels a ticket: the vault is derived from the signer', () => {
  const { enqueue, cancel, failure } = queueCase();
  expect(failure(enqueue(0n), cancel(0n, 1n, numberedAddress(42)))).toBe(SEED_CONSTRAINT);
});

test('a closed associated account is created again for the payment', () => {
  const { variant, owner, destination, common, ticket, enqueue, pay, refresh, run } = queueCase();
  const queued = withChanges(variant, run(enqueue(0n)).live);
  const accounts = new Map(queued.accounts);
  accounts.delete(destination);
  const rent = (bytes: bigint) => (bytes + 128n) * 6_960n;
  expect(accounts.get(ticket(0n))?.lamports).toBe(rent(520n) + rent(1_000n));
  const { error, live } = runVariant({ ...queued, accounts, instructions: [refresh, pay(0n)] });
  expect(error).toBeUndefined();
  // the owner pays for the account, and the ticket returns that and the rest
  expect(live.get(owner).lamports - live.before(owner).lamports).toBe(
    rent(520n) + rent(1_000n) - rent(165n),
  );
  expect(tokenBalanceAt(live, destination)).toBeGreaterThan(0n);
  expect(tokenBalanceAt(live, common.ownerQueuedCollateralVault)).toBe(0n);
});

test('a ticket whose destination has a delegate is passed over, and its cTokens are recovered', () => {
  const { variant, owner, reserve, wallet, destination, ticket, ...queue } = queueCase();
  const { enqueue, pay, recover, refresh, run, failure } = queue;
  const delegate = approve.build(TOKEN_PROGRAM, {
    accounts: { source: destination, delegate: numberedAddress(43), owner },
    args: { amount: toLamports(1n) },
  });
  const skipped = [enqueue(0n), enqueue(1n), delegate, refresh, pay(0n)];
  const passed = run(...skipped);
  expect(passed.error).toBeUndefined();
  expect(withdrawTicket.decode(passed.live.get(ticket(0n)))).toMatchObject({
    invalid: 1,
    queuedCollateralAmount: AMOUNT,
  });
  expect(decodeReserveAt(passed.live, reserve).withdrawQueue).toMatchObject({
    queuedCollateralAmount: AMOUNT,
    nextWithdrawableTicketSequenceNumber: 1n,
  });
  const recovered = run(...skipped, recover(0n));
  expect(recovered.error).toBeUndefined();
  expect(recovered.live.changes().get(ticket(0n))).toBeUndefined();
  expect(tokenBalanceAt(recovered.live, wallet)).toBe(
    tokenBalanceAt(variant.accounts, wallet) - AMOUNT,
  );
  // the other ticket can still be paid
  expect(failure(...skipped, recover(1n))).toBe(6147);
});
