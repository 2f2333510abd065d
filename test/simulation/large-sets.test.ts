import { expect, test } from 'vitest';
import { addressFromBytes } from '#core/base/encoding/address.ts';
import { toSlot } from '#core/base/time.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import type { ProgramRead, ProgramReadSink } from '#server/chain/source/chain-source.ts';
import {
  advanceSlotsUntil,
  advanceSlotsWhile,
  createGoldenIndexer,
  findAccount,
  withValueAt,
} from '../support/clusters/golden-indexer.ts';
import type { FakeSource } from '../support/fakes/fake-source.ts';

const { tag } = obligation.offsets;
const ghost = addressFromBytes(new Uint8Array(32).fill(7));

const isLoans = ({ scan }: ProgramRead) =>
  scan.program === KLEND_PROGRAM &&
  scan.filters.some(
    (filter) =>
      filter.kind === 'bytes' && Buffer.compare(filter.bytes, obligation.discriminator) === 0,
  );

/** Calls `first` before each read of the loans, which then starts over. */
function failFirst(source: FakeSource, first: (read: ProgramRead, sink: ProgramReadSink) => void) {
  const stream = source.streamProgram.bind(source);
  source.streamProgram = (read, sink) => {
    if (isLoans(read)) first(read, sink);
    return stream(read, sink);
  };
}

test('a first load that starts over keeps nothing of the attempt that failed', async () => {
  const { source, state, indexer } = createGoldenIndexer();
  const [, account] = findAccount(source, obligation);
  let applied = 0;
  failFirst(source, ({ minSlot }, sink) => {
    sink.onStart();
    sink.onAccount({ address: ghost, account, slot: minSlot ?? toSlot(0n) });
    applied += state.obligation(ghost) === undefined ? 0 : 1;
  });
  await advanceSlotsWhile(source, indexer.start());
  // each account is applied when it arrives
  expect(applied).toBeGreaterThan(0);
  expect(state.obligation(ghost)).toBeUndefined();
  expect(state.statistics().obligations).toBe(15);
  indexer.stop();
});

test('a reload that starts over keeps nothing of the attempt that failed', async () => {
  const { source, state, indexer } = createGoldenIndexer();
  await advanceSlotsWhile(source, indexer.start());
  const [, account] = findAccount(source, obligation);
  failFirst(source, ({ minSlot }, sink) => {
    sink.onStart();
    sink.onAccount({ address: ghost, account, slot: minSlot ?? toSlot(0n) });
  });
  source.reportGap();
  await advanceSlotsUntil(source, () => !indexer.status().resyncing);
  source.advanceSlot();
  expect(state.obligation(ghost)).toBeUndefined();
  indexer.stop();
});

test('a queued update that was undone while updates were lost is not applied last', async () => {
  const { source, state, indexer } = createGoldenIndexer();
  await advanceSlotsWhile(source, indexer.start());
  source.advanceSlot();
  const [address, account] = findAccount(source, obligation);
  const before = state.obligation(address)?.fields.tag;
  const { slot, unix } = source.at;
  // the loan changes, and changes back in the next slot, which nobody announces
  const changed = withValueAt(account, tag, 77n);
  source.announce({ address, account: changed, slot: toSlot(slot + 1n) });
  source.at = { slot: toSlot(slot + 2n), unix };
  source.reportGap();
  await advanceSlotsUntil(source, () => !indexer.status().resyncing);
  source.advanceSlot();
  expect(state.at().slot).toBe(source.at.slot);
  expect(state.obligation(address)?.fields.tag).toBe(before);
  indexer.stop();
});

test('loans that do not change are not applied again after a gap', async () => {
  const { source, state, indexer } = createGoldenIndexer();
  await advanceSlotsWhile(source, indexer.start());
  const [address, account] = findAccount(source, obligation);
  const before = state.versionOf('obligation');
  source.accounts.set(address, withValueAt(account, tag, 3n));
  source.reportGap();
  await advanceSlotsUntil(source, () => state.obligation(address)?.fields.tag === 3n);
  expect(state.versionOf('obligation')).toBe(before + 1);
  indexer.stop();
});

test('without updates, what changed is read at the set pace', async () => {
  const { source, state, indexer } = createGoldenIndexer({ timing: { pollUsersMs: 1 } });
  source.sendsUpdates = false;
  await advanceSlotsWhile(source, indexer.start());
  const [address, account] = findAccount(source, obligation);
  const [closed] = [...source.accounts].filter(([, raw]) => obligation.matches(raw)).at(-1) ?? [];
  if (closed === undefined) throw new Error('no golden obligation');
  source.advanceSlot([
    [address, withValueAt(account, tag, 5n)],
    [closed, undefined],
  ]);
  await advanceSlotsUntil(
    source,
    () => state.obligation(address)?.fields.tag === 5n && state.obligation(closed) === undefined,
  );
  indexer.stop();
});

test('without updates and before it is due, nothing is read', async () => {
  const time = { now: 1_000, reads: 0 };
  const clock = () => {
    time.reads++;
    return time.now;
  };
  const timing = { pollUsersMs: 600_000 };
  const { source, state, indexer } = createGoldenIndexer({ timing, clock });
  source.sendsUpdates = false;
  await advanceSlotsWhile(source, indexer.start());
  const [address, account] = findAccount(source, obligation);
  const scans = () => source.requests.filter((request) => request === 'scan').length;
  const before = scans();
  source.advanceSlot([[address, withValueAt(account, tag, 5n)]]);
  // maintenance checks several times what is due, each time by the clock
  const reads = time.reads;
  await expect.poll(() => time.reads, { interval: 1 }).toBeGreaterThan(reads + 200);
  expect(scans()).toBe(before);
  expect(state.obligation(address)?.fields.tag).not.toBe(5n);
  time.now += 600_000;
  await advanceSlotsUntil(source, () => state.obligation(address)?.fields.tag === 5n);
  indexer.stop();
});
