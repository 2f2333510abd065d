import { toSlot } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { silentLog } from '../../../../test/support/fakes/silent-log.ts';
import { SIMULATION, startCluster } from '../../../../test/support/localnet/stored-clusters.ts';
import { ClusterPersister } from './cluster-persister.ts';
import type { ClusterSnapshot, JournalEntry } from './cluster-snapshot.ts';

/** A folder that can be full, and what was written to it. */
function setUp() {
  const folder = { isDiskFull: false, isFull: false };
  const appended: JournalEntry[] = [];
  const saved: ClusterSnapshot[] = [];
  const said: string[] = [];
  const write = (note: () => void) => {
    if (folder.isDiskFull) throw new Error('ENOSPC');
    note();
  };
  const kept = {
    append: (slot: JournalEntry) => write(() => appended.push(slot)),
    save: (cluster: ClusterSnapshot) => write(() => saved.push(cluster)),
    get isFull() {
      return folder.isFull;
    },
  };
  const { bank, ledger, send } = startCluster();
  const cluster = { bank, transactions: { ledger } };
  const tell = (_: object, message: string) => said.push(message);
  const log = { ...silentLog, warn: tell, error: tell };
  const keeping = new ClusterPersister({ kept, cluster, played: SIMULATION, ahead: () => 7n, log });
  const pass = ({ isBusy = false, isCalled = false } = {}) => {
    if (isBusy) send(0, 1_000_000n);
    const slot = toSlot(bank.slot + 1n);
    keeping.keepSlot({ slot, written: [], isCalled });
    bank.close(slot);
    keeping.keepMore();
  };
  return { folder, appended, saved, said, keeping, pass, bank, ledger };
}

test('a slot in which something happened is kept, and one that somebody waits for', () => {
  const { appended, saved, said, pass } = setUp();
  pass();
  pass({ isBusy: true });
  pass({ isCalled: true });
  expect(appended.map(({ transactions }) => transactions.length)).toEqual([1, 0]);
  expect(appended.every(({ ahead }) => ahead === 7n)).toBe(true);
  expect([saved, said]).toEqual([[], []]);
});

test('a journal that has become large is replaced by a snapshot', () => {
  const { folder, saved, pass, bank } = setUp();
  folder.isFull = true;
  pass({ isBusy: true });
  expect(saved.map(({ newest }) => newest.slot)).toEqual([bank.slot]);
});

test('a full disk is told once, holds up nobody, and what was not kept is written when there is room', () => {
  const { folder, appended, saved, said, pass, bank, ledger } = setUp();
  folder.isDiskFull = true;
  for (let slot = 0; slot < 60; slot++) pass({ isBusy: slot % 10 === 0 });
  expect(said).toEqual(['what has landed cannot be kept']);
  expect([appended.length, saved.length, ledger.size]).toEqual([0, 0, 6]);
  folder.isDiskFull = false;
  for (let slot = 0; saved.length === 0 && slot < 30; slot++) pass();
  expect(saved.map(({ transactions, newest }) => [transactions.length, newest.slot])).toEqual([
    [6, bank.slot],
  ]);
  expect(said).toEqual(['what has landed cannot be kept', 'the cluster is kept again']);
  pass({ isBusy: true });
  expect(appended).toHaveLength(1);
});

test('everything is kept after what no journal can tell', () => {
  const { saved, keeping, folder, said } = setUp();
  keeping.keepAll();
  expect(saved).toHaveLength(1);
  folder.isDiskFull = true;
  keeping.keepAll();
  expect(said).toEqual(['what has landed cannot be kept']);
});
