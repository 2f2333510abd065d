import { expect, test } from 'vitest';
import { type Address, addressFromBytes } from '#core/base/encoding/address.ts';
import { type Slot, toSlot, toUnixSeconds } from '#core/base/time.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import { CodedError } from '#server/errors.ts';
import { programAccountSets, programDeployments } from '#server/indexer/follow/account-sets.ts';
import { AbsenceCheck } from '#server/indexer/follow/checks/absence-check.ts';
import { AccountAgreement } from '#server/indexer/follow/checks/account-agreement.ts';
import { LargeSetReader } from '#server/indexer/follow/large-set-reader.ts';
import { SlotQueue } from '#server/indexer/follow/slot-queue.ts';
import { findWrittenAccounts } from '#server/indexer/follow/written-accounts.ts';
import { findAccount, withValueAt } from '../../support/clusters/golden-indexer.ts';
import { FakeLedger } from '../../support/fakes/fake-ledger.ts';
import { FakeSource } from '../../support/fakes/fake-source.ts';
import { createWritingTransaction } from '../../support/fakes/fake-transaction.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { goldenCluster } from '../../support/golden/golden.ts';

const program = KLEND_PROGRAM;
const addressOf = (byte: number) => addressFromBytes(new Uint8Array(32).fill(byte));
const slot = (number: number | bigint): Slot => toSlot(BigInt(number));

type Entry = { slot: number; writes?: readonly Address[]; failed?: boolean };

function ledgerOf(entries: readonly Entry[]): FakeLedger {
  const ledger = new FakeLedger();
  entries.forEach(({ slot: at, writes = [], failed = false }, number) => {
    const transaction = { number, slot: BigInt(at), program, writes, failed };
    ledger.add(createWritingTransaction(transaction));
  });
  return ledger;
}

function find(ledger: FakeLedger, pause: () => void = () => undefined) {
  const query = { ledger, program, after: slot(100), upTo: slot(120) };
  return findWrittenAccounts({ ...query, pause: async () => pause() });
}

const BEFORE = { slot: 100, writes: [addressOf(1)] };
const AFTER = { slot: 128, writes: [addressOf(9)] };

test('the accounts of all successful transactions since the slot are found', async () => {
  const ledger = ledgerOf([
    BEFORE,
    { slot: 101, writes: [addressOf(2), addressOf(3)] },
    { slot: 110, writes: [addressOf(4)], failed: true },
    { slot: 120, writes: [addressOf(3), addressOf(5)] },
    AFTER,
  ]);
  const found = await find(ledger);
  const payer = addressOf(77);
  expect(found).toEqual(new Set([payer, ...[2, 3, 5, 9].map(addressOf)]));
});

test('it is uncertain if the list does not reach back to the slot', async () => {
  expect(await find(ledgerOf([{ slot: 101, writes: [addressOf(2)] }, AFTER]))).toBeUndefined();
  expect(await find(ledgerOf([]))).toBeUndefined();
});

test('the list is read again until it is beyond the last slot', async () => {
  const ledger = ledgerOf([BEFORE, { slot: 127, writes: [addressOf(2)] }]);
  let pauses = 0;
  const found = await find(ledger, () => {
    pauses += 1;
    const late = { number: 50, slot: 119n, program, writes: [addressOf(8)] };
    if (pauses === 2) ledger.add(createWritingTransaction(late));
    const beyond = { number: 51, slot: 128n, program, writes: [] };
    if (pauses === 3) ledger.add(createWritingTransaction(beyond));
  });
  expect(pauses).toBe(3);
  expect(found).toContain(addressOf(8));
  expect(await find(ledgerOf([BEFORE]))).toBeUndefined();
});

test('it is uncertain if a transaction is unknown, or if the node does not list them', async () => {
  const unknown = ledgerOf([BEFORE, { slot: 110 }, AFTER]);
  unknown.transactions = unknown.transactions.map((each, i) =>
    i === 1 ? { ...each, response: undefined } : each,
  );
  expect(await find(unknown)).toBeUndefined();
  const refusing = ledgerOf([BEFORE, AFTER]);
  refusing.onRequest = () => {
    throw new CodedError('SOURCE_REFUSES', { source: 'fake', reason: 'no history' });
  };
  expect(await find(refusing)).toBeUndefined();
});

test('too many transactions are not read', async () => {
  const many = Array.from({ length: 1_001 }, () => ({ slot: 110 }));
  const ledger = ledgerOf([BEFORE, ...many, AFTER]);
  expect(await find(ledger)).toBeUndefined();
  expect(ledger.fetched).toEqual([]);
  const failed = many.map((each) => ({ ...each, failed: true }));
  expect(await find(ledgerOf([BEFORE, ...failed, AFTER]))).toBeDefined();
});

/** A loaded reader of the loans, behind by the changes that the test makes. */
async function loadLoans() {
  const { at, accounts } = goldenCluster();
  const source = new FakeSource(at, accounts);
  const state = new ClusterState({ log: silentLog });
  const queue = new SlotQueue(() => undefined);
  const accountSet = programAccountSets(programDeployments, 'all').find(
    ({ kind, selection }) => kind === 'obligation' && selection.program === program,
  );
  if (accountSet === undefined) throw new Error('no set of loans');
  const parts = { source, state, queue };
  const reader = new LargeSetReader({
    accountSet,
    ...parts,
    absences: new AbsenceCheck({ ...parts, clock: () => 0, random: () => 0, log: silentLog }),
    agreement: new AccountAgreement({ ...parts, log: silentLog }),
    isQueued: () => false,
    isStopped: () => false,
    sleep: async () => undefined,
    minForTransactions: 1,
  });
  await reader.load(at.slot);
  queue.startQueueing();
  queue.advance(at);
  return { source, state, queue, reader, since: at.slot };
}

test('after a gap, only accounts of the transactions are read: changed, new and closed', async () => {
  const { source, state, queue, reader, since } = await loadLoans();
  const loans = [...source.accounts].filter(
    ([, raw]) => obligation.matches(raw) && raw.owner === program,
  );
  const [changed, closed, other] = loans;
  if (changed === undefined || closed === undefined || other === undefined)
    throw new Error('too few loans');
  const [reserveAddress] = findAccount(source, reserve);
  const created = addressOf(5);
  const { tag } = obligation.offsets;
  source.accounts.set(changed[0], withValueAt(changed[1], tag, 7n));
  source.accounts.delete(closed[0]);
  source.accounts.set(created, changed[1]);
  const writes = [changed[0], closed[0], created, reserveAddress, addressOf(6)];
  source.at = { slot: slot(since + 60n), unix: toUnixSeconds(0n) };
  source.ledger.add(
    createWritingTransaction({ number: 1, slot: since - 60n, program, writes: [] }),
    createWritingTransaction({ number: 2, slot: since + 5n, program, writes }),
    createWritingTransaction({ number: 3, slot: since + 70n, program, writes: [] }),
  );
  const scans = () => source.requests.filter((request) => request === 'scan').length;
  const before = scans();
  const { slot: queuedFor, findsClosed } = await reader.queueChanges(slot(since + 60n), since);
  expect([queuedFor, findsClosed]).toEqual([since + 60n, false]);
  expect(scans()).toBe(before);
  queue.advance({ slot: slot(since + 60n), unix: toUnixSeconds(0n) });
  expect(state.obligation(changed[0])?.fields.tag).toBe(7n);
  expect(state.obligation(closed[0])).toBeUndefined();
  expect(state.obligation(created)).toBeDefined();
  expect(state.obligation(other[0])).toBeDefined();
  expect(state.kindOf(reserveAddress)).toBeUndefined();
});

test('after a gap without a certain list, all loans are compared', async () => {
  const { source, state, queue, reader, since } = await loadLoans();
  const [address, account] = findAccount(source, obligation);
  source.accounts.set(address, withValueAt(account, obligation.offsets.tag, 7n));
  source.at = { slot: slot(since + 60n), unix: toUnixSeconds(0n) };
  const { findsClosed } = await reader.queueChanges(slot(since + 60n), since);
  expect(findsClosed).toBe(true);
  queue.advance({ slot: slot(since + 60n), unix: toUnixSeconds(0n) });
  expect(state.obligation(address)?.fields.tag).toBe(7n);
});
