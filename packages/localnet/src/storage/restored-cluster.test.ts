import { toSlot } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { errorCode } from '../../../../test/support/errors/catch-error.ts';
import { silentLog } from '../../../../test/support/fakes/silent-log.ts';
import {
  busyCluster,
  ledgerContents,
  ORIGIN,
  reopenStore,
  resumeCluster,
  SIMULATION,
  temporaryDataFolder,
  toStoredCluster,
  wallets,
} from '../../../../test/support/localnet/stored-clusters.ts';
import type { TransactionRecord } from '../runtime/transactions/transaction-record.ts';
import { snapshotCluster } from './cluster-snapshot.ts';
import { openClusterStore } from './cluster-store.ts';

test('a cluster comes back as it was: accounts, times, and every answer of its ledger', () => {
  const folder = temporaryDataFolder();
  const cluster = busyCluster();
  const kept = openClusterStore(folder, silentLog);
  expect(kept.load()).toBeUndefined();
  kept.save(snapshotCluster({ ...cluster, ahead: 12n }, SIMULATION));
  kept.close();
  const back = reopenStore(folder);
  if (back === undefined) throw new Error('nothing is there');
  expect(back.played).toEqual(SIMULATION);
  expect(back.ahead).toBe(12n);
  expect(back.origin).toEqual(ORIGIN);
  expect(back.newest).toEqual({ slot: 1_005n, unix: 1_700_000_002n });
  const { bank, ledger } = resumeCluster(back);
  expect([...bank.accounts()]).toEqual([...cluster.bank.accounts()]);
  expect(bank.slot).toBe(cluster.bank.slot);
  expect(bank.timeOf(toSlot(1_003n))).toEqual(cluster.bank.timeOf(toSlot(1_003n)));
  expect(ledgerContents(ledger)).toEqual(ledgerContents(cluster.ledger));
  expect(ledger.rollBack(toSlot(1_002n))).toEqual(cluster.ledger.rollBack(toSlot(1_002n)));
  expect(ledger.size).toBe(4);
  expect(ledgerContents(ledger)).toEqual(ledgerContents(cluster.ledger));
});

test('a cluster that came back goes on: what ran before is not run again, what is new is found', () => {
  const folder = temporaryDataFolder();
  const kept = openClusterStore(folder, silentLog);
  const cluster = busyCluster();
  kept.save(toStoredCluster(cluster));
  kept.close();
  const back = reopenStore(folder);
  if (back === undefined) throw new Error('nothing is there');
  const resumed = resumeCluster(back);
  for (const { wire } of cluster.sent) {
    expect(resumed.run(wire)).toEqual({ kind: 'refused', error: 'AlreadyProcessed' });
  }
  for (const each of [cluster, resumed]) {
    each.pass(1);
    each.ledger.packOld(10_000);
    each.pass(2);
  }
  expect(ledgerContents(resumed.ledger)).toEqual(ledgerContents(cluster.ledger));
  expect([...resumed.bank.accounts()]).toEqual([...cluster.bank.accounts()]);
});

test('transactions that came back are found by their signatures, slots and addresses', () => {
  const cluster = busyCluster();
  const { ledger } = resumeCluster(toStoredCluster(cluster));
  const { sent } = cluster;
  const listed = (list: Iterable<TransactionRecord>) => [...list].map((each) => each.signature);
  const all = sent.map(({ signature }) => signature);
  expect(all.map((signature) => ledger.find(signature)?.signature)).toEqual(all);
  expect(listed(ledger.ofSlot(toSlot(1_002n)))).toEqual(all.slice(2, 4));
  expect(listed(ledger.between(toSlot(1_001n), toSlot(1_003n)))).toEqual(all.slice(2, 6));
  // the first sends, and the third sends to the first
  const first = wallets[0]?.address;
  if (first === undefined) throw new Error('nobody');
  const own = sent.filter(({ from }) => from !== 1).map(({ signature }) => signature);
  const newest = own.toReversed();
  expect(own).toHaveLength(5);
  expect(listed(ledger.ofAddress(first))).toEqual(newest);
  expect(listed(ledger.ofAddress(first, { before: newest[1] ?? '' }))).toEqual(newest.slice(2));
  expect(listed(ledger.ofAddress(first, { until: newest[4] ?? '' }))).toEqual(newest.slice(0, 4));
});

test('a bank that came back cannot be rolled back to what it has not seen', () => {
  const { bank } = resumeCluster(toStoredCluster(busyCluster()));
  bank.close(toSlot(1_006n));
  expect(errorCode(() => bank.rollBack(toSlot(1_004n)))).toBe('MALFORMED_DATA');
  bank.rollBack(toSlot(1_005n));
  expect(bank.slot).toBe(1_005n);
});
