import { toSlot } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { codeOf } from '../../../../test/support/errors/catch-error.ts';
import { silentLog } from '../../../../test/support/fakes/silent-log.ts';
import {
  busyCluster,
  dataFolder,
  ledgerAnswers,
  ORIGIN,
  PLAYED,
  people,
  reopened,
  resumeCluster,
  saved,
} from '../../../../test/support/localnet/stored-clusters.ts';
import type { TransactionRecord } from '../runtime/transactions/transaction-record.ts';
import { keptCluster } from './cluster-snapshot.ts';
import { openKept } from './cluster-store.ts';

test('a cluster comes back as it was: accounts, times, and every answer of its ledger', () => {
  const folder = dataFolder();
  const cluster = busyCluster();
  const kept = openKept(folder, silentLog);
  expect(kept.load()).toBeUndefined();
  kept.save(keptCluster({ ...cluster, ahead: 12n }, PLAYED));
  kept.close();
  const back = reopened(folder);
  if (back === undefined) throw new Error('nothing is there');
  expect(back.played).toEqual(PLAYED);
  expect(back.ahead).toBe(12n);
  expect(back.origin).toEqual(ORIGIN);
  expect(back.newest).toEqual({ slot: 1_005n, unix: 1_700_000_002n });
  const { bank, ledger } = resumeCluster(back);
  expect([...bank.accounts()]).toEqual([...cluster.bank.accounts()]);
  expect(bank.slot).toBe(cluster.bank.slot);
  expect(bank.timeOf(toSlot(1_003n))).toEqual(cluster.bank.timeOf(toSlot(1_003n)));
  expect(ledgerAnswers(ledger)).toEqual(ledgerAnswers(cluster.ledger));
  expect(ledger.rollBack(toSlot(1_002n))).toEqual(cluster.ledger.rollBack(toSlot(1_002n)));
  expect(ledger.size).toBe(4);
  expect(ledgerAnswers(ledger)).toEqual(ledgerAnswers(cluster.ledger));
});

test('a cluster that came back goes on: what ran before is not run again, what is new is found', () => {
  const folder = dataFolder();
  const kept = openKept(folder, silentLog);
  const cluster = busyCluster();
  kept.save(saved(cluster));
  kept.close();
  const back = reopened(folder);
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
  expect(ledgerAnswers(resumed.ledger)).toEqual(ledgerAnswers(cluster.ledger));
  expect([...resumed.bank.accounts()]).toEqual([...cluster.bank.accounts()]);
});

test('transactions that came back are found by their signatures, slots and addresses', () => {
  const cluster = busyCluster();
  const { ledger } = resumeCluster(saved(cluster));
  const { sent } = cluster;
  const listed = (list: Iterable<TransactionRecord>) => [...list].map((each) => each.signature);
  const all = sent.map(({ signature }) => signature);
  expect(all.map((signature) => ledger.find(signature)?.signature)).toEqual(all);
  expect(listed(ledger.ofSlot(toSlot(1_002n)))).toEqual(all.slice(2, 4));
  expect(listed(ledger.between(toSlot(1_001n), toSlot(1_003n)))).toEqual(all.slice(2, 6));
  // the first sends, and the third sends to the first
  const first = people[0]?.address;
  if (first === undefined) throw new Error('nobody');
  const own = sent.filter(({ from }) => from !== 1).map(({ signature }) => signature);
  const newest = own.toReversed();
  expect(own).toHaveLength(5);
  expect(listed(ledger.ofAddress(first))).toEqual(newest);
  expect(listed(ledger.ofAddress(first, { before: newest[1] ?? '' }))).toEqual(newest.slice(2));
  expect(listed(ledger.ofAddress(first, { until: newest[4] ?? '' }))).toEqual(newest.slice(0, 4));
});

test('a bank that came back cannot be rolled back to what it has not seen', () => {
  const { bank } = resumeCluster(saved(busyCluster()));
  bank.close(toSlot(1_006n));
  expect(codeOf(() => bank.rollBack(toSlot(1_004n)))).toBe('MALFORMED_DATA');
  bank.rollBack(toSlot(1_005n));
  expect(bank.slot).toBe(1_005n);
});
