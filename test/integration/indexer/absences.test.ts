import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import {
  advanceSlotsUntil,
  advanceSlotsWhile,
  createGoldenIndexer,
  findAccount,
  withValueAt,
} from '../../support/clusters/golden-indexer.ts';
import type { FakeSource } from '../../support/fakes/fake-source.ts';

const { tag } = obligation.offsets;

/** An indexer that is up to date, on a clock of the test. */
async function setUp(timing = {}) {
  const time = { now: 0 };
  const parts = createGoldenIndexer({ clock: () => time.now, timing });
  await advanceSlotsWhile(parts.source, parts.indexer.start());
  const [loan, account] = findAccount(parts.source, obligation);
  const [reserveAddress] = findAccount(parts.source, reserve);
  return { ...parts, time, loan, account, reserveAddress };
}

/** Scans return all accounts but these, and reads by address return them. */
function leaveOutOfScans(source: FakeSource, hidden: readonly Address[]) {
  const { streamProgram, scanProgram } = source;
  source.streamProgram = (read, sink) =>
    streamProgram.call(source, read, {
      ...sink,
      onStart: () => sink.onStart(),
      onAccount: (each) => hidden.includes(each.address) || sink.onAccount(each),
    });
  source.scanProgram = async (...args) => {
    const { slot, accounts } = await scanProgram.apply(source, args);
    return { slot, accounts: accounts.filter(({ address }) => !hidden.includes(address)) };
  };
}

test('after a gap, accounts that a scan leaves out keep up, by a second read', async () => {
  const { source, state, indexer, loan, account, reserveAddress } = await setUp();
  leaveOutOfScans(source, [loan, reserveAddress]);
  source.accounts.set(loan, withValueAt(account, tag, 44n));
  const { slot } = source.at;
  source.reportGap();
  await advanceSlotsUntil(source, () => state.at().slot > slot);
  expect(state.obligation(loan)?.fields.tag).toBe(44n);
  expect(state.reserve(reserveAddress)).toBeDefined();
  expect(indexer.status().absences).toEqual({ confirmed: 0, refuted: 2, unconfirmed: 0 });
  expect(indexer.doubts()).toEqual([]);
  indexer.stop();
});

test('while reads contradict each other, an account is served as it was and named; later it is closed', async () => {
  const { source, state, indexer, time, loan } = await setUp();
  source.accounts.delete(loan);
  // the node also leaves out accounts that certainly exist
  source.leavesOut = (address) => state.reserve(address) !== undefined;
  const { slot } = source.at;
  source.reportGap();
  await advanceSlotsUntil(source, () => state.at().slot > slot);
  expect(state.obligation(loan)).toBeDefined();
  expect(indexer.status().absences).toMatchObject({ confirmed: 0, unconfirmed: 1 });
  expect(indexer.doubts()).toMatchObject([
    { kind: 'obligation', code: 'unconfirmedAbsence', detail: expect.stringContaining(loan) },
  ]);
  source.leavesOut = () => false;
  await advanceSlotsUntil(source, () => {
    time.now += 6_000;
    return state.obligation(loan) === undefined;
  });
  expect(indexer.status().absences).toEqual({ confirmed: 1, refuted: 0, unconfirmed: 0 });
  expect(indexer.doubts()).toEqual([]);
  indexer.stop();
});

test('an update of an account whose absence is not confirmed settles it', async () => {
  const { source, state, indexer, time, loan, account } = await setUp();
  leaveOutOfScans(source, [loan]);
  source.leavesOut = (address) => address === loan || state.reserve(address) !== undefined;
  const { slot } = source.at;
  source.reportGap();
  await advanceSlotsUntil(source, () => state.at().slot > slot);
  expect(indexer.doubts()).toHaveLength(1);
  source.advanceSlot([[loan, withValueAt(account, tag, 45n)]]);
  await advanceSlotsUntil(source, () => {
    time.now += 6_000;
    return indexer.doubts().length === 0;
  });
  expect(state.obligation(loan)?.fields.tag).toBe(45n);
  indexer.stop();
});

test('a stream that closes an account is believed at once', async () => {
  const { source, state, indexer, loan } = await setUp();
  const requests = source.requests.length;
  source.advanceSlot();
  const { slot } = source.at;
  for (const { target, listener } of source.subscriptions) {
    if (target.kind === 'program') listener.onAccount({ address: loan, account: undefined, slot });
  }
  source.advanceSlot();
  expect(state.obligation(loan)).toBeUndefined();
  expect(source.requests).toHaveLength(requests);
  indexer.stop();
});

test('a listing that leaves out a loan does not close it', async () => {
  const { source, state, indexer, time, loan } = await setUp({ rescanObligationsMs: 1 });
  leaveOutOfScans(source, [loan]);
  await advanceSlotsUntil(source, () => {
    time.now += 600_000;
    return indexer.status().absences.refuted > 0;
  });
  expect(state.obligation(loan)).toBeDefined();
  indexer.stop();
});
