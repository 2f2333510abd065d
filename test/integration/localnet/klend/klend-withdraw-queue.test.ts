import { expect, test } from 'vitest';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { toSlot } from '#core/base/time.ts';
import { lendingMarket as lendingMarketLayout } from '#core/protocol/klend/layout/lending-market.ts';
import { reserve as reserveLayout } from '#core/protocol/klend/layout/reserve.ts';
import { withdrawTicket } from '#core/protocol/klend/layout/withdraw-ticket.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { approve } from '#core/protocol/spl/instructions/token-transfer.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import { TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import {
  runError,
  runVariant,
  withChanges,
  withFields,
} from '../../../support/flows/lending-flow-variants.ts';
import { decodeReserveAt, tokenBalanceAt } from '../../../support/lending/refresh-instructions.ts';
import { AMOUNT, queueCase } from '../../../support/lending/withdraw-queue-case.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';

const SEED_CONSTRAINT = 2006;

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

/** The market and the reserve of the queue after its tickets are issued, with changes and one of its instructions. */
function inEmergency(kind: 'market' | 'reserve') {
  const { variant, reserve, common, owner, destination, enqueue, pay, cancel, recover, refresh } =
    queueCase();
  const delegate = approve.build(TOKEN_PROGRAM, {
    accounts: { source: destination, delegate: numberedAddress(43), owner },
    args: { amount: toLamports(1n) },
  });
  const run = (instructions: typeof variant.instructions, then: (typeof instructions)[number]) => {
    const before = runVariant({ ...variant, instructions: [refresh, ...instructions] });
    expect(before.error).toBeUndefined();
    const issued = withChanges(variant, before.live);
    const changed =
      kind === 'market'
        ? withFields(issued, [lendingMarketLayout, common.lendingMarket], (fields) => ({
            ...fields,
            emergencyMode: 1,
          }))
        : withFields(issued, [reserveLayout, reserve], ({ config, ...fields }) => ({
            ...fields,
            config: { ...config, emergencyMode: 1 },
          }));
    return runError({ ...changed, instructions: [then] });
  };
  return {
    enqueue: run([enqueue(0n)], enqueue(1n)),
    pay: run([enqueue(0n)], pay(0n)),
    cancel: run([enqueue(0n)], cancel(0n, 1n)),
    recover: run([enqueue(0n), delegate, refresh, pay(0n)], recover(0n)),
  };
}

test('no instruction of the queue works in an emergency: 6042 of the market, 6175 of the reserve', () => {
  const all = (code: number) => ({ enqueue: code, pay: code, cancel: code, recover: code });
  expect(inEmergency('market')).toEqual(all(6042));
  expect(inEmergency('reserve')).toEqual(all(6175));
});

test('an obsolete reserve issues no tickets: 6082', () => {
  const { variant, reserve, enqueue } = queueCase();
  const obsolete = withFields(variant, [reserveLayout, reserve], ({ config, ...fields }) => ({
    ...fields,
    config: { ...config, status: 1 },
  }));
  expect(runError({ ...obsolete, instructions: [enqueue(0n)] })).toBe(6082);
});

test('the queue passes a cancelled ticket without a refresh of the reserve', () => {
  const { variant, reserve, enqueue, cancel, pay, run } = queueCase();
  const issued = withChanges(variant, run(enqueue(0n), cancel(0n, AMOUNT)).live);
  const at = { ...variant.at, slot: toSlot(variant.at.slot + 7n) };
  const { error, live } = runVariant({ ...issued, at, instructions: [pay(0n)] });
  expect(error).toBeUndefined();
  const [before, after] = [issued.accounts, live].map((from) => decodeReserveAt(from, reserve));
  expect(after?.lastUpdate).toEqual(before?.lastUpdate);
  expect(after?.liquidity).toEqual(before?.liquidity);
  expect(after?.withdrawQueue.nextWithdrawableTicketSequenceNumber).toBe(1n);
});
