import { toSlot } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { silentLog } from '../../../../test/support/fakes/silent-log.ts';
import { SIMULATION, startCluster } from '../../../../test/support/localnet/stored-clusters.ts';
import { ClusterPersister } from './cluster-persister.ts';
import type { ClusterSnapshot, JournalEntry } from './cluster-snapshot.ts';

/** A store whose disk can fill up, and everything written to it. */
function setUp() {
  const folder = { isDiskFull: false, isFull: false };
  const appended: JournalEntry[] = [];
  const saved: ClusterSnapshot[] = [];
  const messages: string[] = [];
  const write = (record: () => void) => {
    if (folder.isDiskFull) throw new Error('ENOSPC');
    record();
  };
  const store = {
    append: (slot: JournalEntry) => write(() => appended.push(slot)),
    save: (cluster: ClusterSnapshot) => write(() => saved.push(cluster)),
    get isFull() {
      return folder.isFull;
    },
  };
  const { bank, ledger, send } = startCluster();
  const cluster = { bank, transactions: { ledger } };
  const addMessage = (_: object, message: string) => messages.push(message);
  const log = { ...silentLog, warn: addMessage, error: addMessage };
  const persister = new ClusterPersister({
    store,
    cluster,
    plan: SIMULATION,
    slotOffset: () => 7n,
    log,
  });
  const closeSlot = ({ isBusy = false, isRequested = false } = {}) => {
    if (isBusy) send(0, 1_000_000n);
    const slot = toSlot(bank.slot + 1n);
    persister.persistSlot({ slot, writtenAddresses: [], isRequested });
    bank.close(slot);
    persister.saveIfDue();
  };
  return {
    folder,
    appended,
    saved,
    said: messages,
    keeping: persister,
    pass: closeSlot,
    bank,
    ledger,
  };
}

test('a slot with transactions is stored, and so is a requested slot', () => {
  const { appended, saved, said: messages, pass: closeSlot } = setUp();
  closeSlot();
  closeSlot({ isBusy: true });
  closeSlot({ isRequested: true });
  expect(appended.map(({ transactions }) => transactions.length)).toEqual([1, 0]);
  expect(appended.every(({ ahead }) => ahead === 7n)).toBe(true);
  expect([saved, messages]).toEqual([[], []]);
});

test('a large journal is replaced by a snapshot', () => {
  const { folder, saved, pass: closeSlot, bank } = setUp();
  folder.isFull = true;
  closeSlot({ isBusy: true });
  expect(saved.map(({ newest }) => newest.slot)).toEqual([bank.slot]);
});

test('a full disk is logged once, blocks nothing, and everything is stored once there is space', () => {
  const { folder, appended, saved, said: messages, pass: closeSlot, bank, ledger } = setUp();
  folder.isDiskFull = true;
  for (let slot = 0; slot < 60; slot++) closeSlot({ isBusy: slot % 10 === 0 });
  expect(messages).toEqual(['cannot store the cluster']);
  expect([appended.length, saved.length, ledger.size]).toEqual([0, 0, 6]);
  folder.isDiskFull = false;
  for (let slot = 0; saved.length === 0 && slot < 30; slot++) closeSlot();
  expect(saved.map(({ transactions, newest }) => [transactions.length, newest.slot])).toEqual([
    [6, bank.slot],
  ]);
  expect(messages).toEqual(['cannot store the cluster', 'the cluster is stored again']);
  closeSlot({ isBusy: true });
  expect(appended).toHaveLength(1);
});

test('a snapshot can be saved at any time', () => {
  const { saved, keeping: persister, folder, said: messages } = setUp();
  persister.saveSnapshot();
  expect(saved).toHaveLength(1);
  folder.isDiskFull = true;
  persister.saveSnapshot();
  expect(messages).toEqual(['cannot store the cluster']);
});
