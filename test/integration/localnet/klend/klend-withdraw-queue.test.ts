import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
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
  // the rent of a ticket and of the vault stay: 520 and 165 bytes
  const rent = (520n + 128n + 165n + 128n) * 6_960n;
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
