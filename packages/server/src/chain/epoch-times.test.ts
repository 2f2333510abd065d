import { toSlot } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { FakeLedger } from '../../../../test/support/fakes/fake-ledger.ts';
import { EpochTimes } from './epoch-times.ts';

/** Epochs of 10,000 slots; a block of slot N has the time 1000 + N. */
function ledgerAt(finalized: bigint): FakeLedger {
  const ledger = new FakeLedger();
  ledger.slotsPerEpoch = 10_000n;
  ledger.finalized = finalized;
  ledger.firstAvailable = 0n;
  return ledger;
}

const epoch = (number: bigint, changes = {}) => ({
  epoch: number,
  first: number * 10_000n,
  last: number * 10_000n + 9_999n,
  startedAt: 1_000n + number * 10_000n,
  endedAt: 10_999n + number * 10_000n,
  ...changes,
});

test('finished epochs have the times of their first and last blocks', async () => {
  const ledger = ledgerAt(25_000n);
  ledger.skipped = new Set([10_000n, 10_001n, 19_999n]);
  const times = new EpochTimes({ ledger });
  const expected = {
    epochs: [epoch(0n), epoch(1n, { startedAt: 11_002n, endedAt: 20_998n })],
    missing: [],
  };
  expect(await times.list(toSlot(25_000n))).toEqual(expected);
  ledger.requests.length = 0;
  expect(await times.list(toSlot(29_999n))).toEqual(expected);
  expect(ledger.requests).toEqual([]);
});

test('an epoch that is not finalized is not listed', async () => {
  const ledger = ledgerAt(19_999n);
  const times = new EpochTimes({ ledger, retryMs: 0 });
  const { epochs, missing } = await times.list(toSlot(20_000n));
  expect(epochs).toEqual([epoch(0n)]);
  expect(missing).toMatchObject([{ first: 1n, last: 1n }]);
  ledger.finalized = 20_000n;
  expect(await times.list(toSlot(20_040n))).toEqual({
    epochs: [epoch(0n), epoch(1n)],
    missing: [],
  });
});

test('the first block that a node has is not taken for that of the epoch', async () => {
  const ledger = ledgerAt(45_000n);
  ledger.firstAvailable = 20_005n;
  const reason = 'the node has no blocks before slot 20005';
  expect(await new EpochTimes({ ledger }).list(toSlot(45_000n))).toEqual({
    epochs: [epoch(3n)],
    missing: [{ first: 0n, last: 2n, reason }],
  });
});

test('an epoch without blocks or block times is missing', async () => {
  const ledger = ledgerAt(35_000n);
  ledger.skipped = new Set(Array.from({ length: 1_000 }, (_, i) => 10_000n + BigInt(i)));
  ledger.blockTimeOf = (slot) => (slot === 9_999n ? undefined : 1_000n + slot);
  const reason = 'the node has no time of its first or last block';
  expect(await new EpochTimes({ ledger }).list(toSlot(35_000n))).toEqual({
    epochs: [epoch(2n)],
    missing: [{ first: 0n, last: 1n, reason }],
  });
});

test('a failure keeps what is known, and is retried later', async () => {
  const ledger = ledgerAt(35_000n);
  let calls = 0;
  ledger.onRequest = (request) => {
    if (request === 'getBlockTime' && ++calls === 3) throw new Error('gone');
  };
  const times = new EpochTimes({ ledger, retryMs: 0 });
  const first = await times.list(toSlot(35_000n));
  expect(first.epochs).toEqual([epoch(2n)]);
  expect(first.missing).toMatchObject([
    { first: 0n, last: 1n, reason: expect.stringContaining('gone') as string },
  ]);
  const all = { epochs: [epoch(0n), epoch(1n), epoch(2n)], missing: [] };
  expect(await times.list(toSlot(35_000n))).toEqual(all);
});

test('a request does not wait long, and a later one gets what was loaded since', async () => {
  const ledger = ledgerAt(35_000n);
  let resume = (): void => undefined;
  const paused = new Promise<void>((resolve) => {
    resume = resolve;
  });
  const slow = {
    getEpochSchedule: () => ledger.getEpochSchedule(),
    getFirstAvailableSlot: () => ledger.getFirstAvailableSlot(),
    getFinalizedSlot: () => ledger.getFinalizedSlot(),
    getBlockTime: (slot: Parameters<FakeLedger['getBlockTime']>[0]) => ledger.getBlockTime(slot),
    async listBlocks(...range: Parameters<FakeLedger['listBlocks']>) {
      if (range[0] < 20_000n) await paused;
      return await ledger.listBlocks(...range);
    },
  };
  const times = new EpochTimes({ ledger: slow, waitMs: 50 });
  expect(await times.list(toSlot(35_000n))).toEqual({
    epochs: [epoch(2n)],
    missing: [{ first: 0n, last: 1n, reason: 'its times are being loaded' }],
  });
  resume();
  const all = { epochs: [epoch(0n), epoch(1n), epoch(2n)], missing: [] };
  await expect.poll(() => times.list(toSlot(35_000n))).toEqual(all);
});
