import { toSlot } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { executeFlow } from '../../../../../test/support/flows/execute-flow.ts';
import { flowSnapshots } from '../../../../../test/support/flows/flow-snapshots.ts';
import { RECORDED_BUILD_RULES } from '../../../../../test/support/golden/recorded-build.ts';
import { numberedAddress } from '../../../../../test/support/protocol/codecs.ts';
import { modelPrograms } from '../../programs/model-programs.ts';
import { createModelExecutor } from './model-executor.ts';
import { packTransaction, unpackTransaction } from './packed-transaction.ts';
import { TransactionLedger } from './transaction-ledger.ts';

const executor = createModelExecutor(modelPrograms(RECORDED_BUILD_RULES));
const records = flowSnapshots().map((snapshot) => executeFlow(snapshot, executor).record);
const [first, second, third] = records;

test('a record survives packing, in less than 9,000 bytes', () => {
  for (const record of records) {
    const packed = packTransaction(record);
    expect(packed.length).toBeLessThan(9_000);
    // A Buffer is unpacked as a plain Uint8Array.
    const wire = Uint8Array.from(record.wire);
    expect(unpackTransaction(packed)).toEqual({ ...record, wire: expect.anything() });
    expect(Uint8Array.from(unpackTransaction(packed).wire)).toEqual(wire);
  }
});

/** Repeats the recorded transactions, one per slot. */
function createFilledLedger(count: number): TransactionLedger {
  const ledger = new TransactionLedger();
  for (let i = 0; i < count; i++) {
    const record = records[i % records.length];
    if (record === undefined) throw new Error('no records');
    ledger.add({ ...record, time: { ...record.time, slot: toSlot(BigInt(i + 1)) } });
  }
  return ledger;
}

test('packed transactions can be found like new ones', () => {
  const ledger = createFilledLedger(1_000);
  ledger.packOld(1);
  ledger.packOld(10_000);
  expect(ledger.size).toBe(1_000);
  const [old] = ledger.inSlot(toSlot(2n));
  expect(old?.signature).toBe(second?.signature);
  expect(old?.logs).toEqual(second?.logs);
  expect(old?.inner).toEqual(second?.inner);
  expect(old?.accounts).toEqual(second?.accounts);
  expect(ledger.between(toSlot(1n), toSlot(3n)).map(({ signature }) => signature)).toEqual([
    second?.signature,
    third?.signature,
  ]);
});

test('transactions of an address come newest first, within optional bounds', () => {
  const ledger = createFilledLedger(records.length);
  const [payer] = first?.accounts ?? [];
  if (payer === undefined || first === undefined) throw new Error('no payer');
  const payerRecords = records.filter(({ accounts }) =>
    accounts.some(({ address }) => address === payer.address),
  );
  const signatures = payerRecords.map(({ signature }) => signature).reverse();
  const listed = (range = {}) =>
    [...ledger.forAddress(payer.address, range)].map(({ signature }) => signature);
  expect(signatures.length).toBeGreaterThan(2);
  expect(listed()).toEqual(signatures);
  expect(listed({ before: signatures[0] })).toEqual(signatures.slice(1));
  expect(listed({ until: signatures.at(-1) })).toEqual(signatures.slice(0, -1));
  expect([...ledger.forAddress(numberedAddress(1))]).toEqual([]);
});

test('rolled-back transactions are removed, packed or not, and later ones can be found', () => {
  const long = createFilledLedger(1_000);
  long.packOld(1_000);
  expect(long.rollBack(toSlot(300n))).toHaveLength(700);
  long.packOld(1_000);
  expect(long.inSlot(toSlot(300n))).toHaveLength(1);
  const ledger = createFilledLedger(records.length);
  expect(ledger.rollBack(toSlot(2n))).toHaveLength(records.length - 2);
  expect(ledger.size).toBe(2);
  expect(ledger.find(third?.signature ?? '')).toBeUndefined();
  expect(ledger.find(second?.signature ?? '')?.signature).toBe(second?.signature);
  const [payer] = first?.accounts ?? [];
  if (payer === undefined) throw new Error('no payer');
  const remainingSlots = [...ledger.forAddress(payer.address)].map(({ time }) => time.slot);
  expect(remainingSlots.every((slot) => slot <= 2n)).toBe(true);
  if (third !== undefined) ledger.add({ ...third, time: { ...third.time, slot: toSlot(9n) } });
  const found = [...ledger.forAddress(third?.accounts[0]?.address ?? numberedAddress(1))];
  expect(found[0]?.time.slot).toBe(9n);
  expect(new Set(found.map(({ time }) => time.slot)).size).toBe(found.length);
});
