import { type ChainTime, toSlot, toUnixSeconds } from '@tidegate/core/base';
import { SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import { expect, test } from 'vitest';
import { catchError } from '../../../../test/support/errors/catch-error.ts';
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
import { modelPrograms } from '../programs/model-programs.ts';
import { createModelExecutor } from '../runtime/transactions/model-executor.ts';
import { restoreCluster } from '../simulation/simulate-cluster.ts';
import { snapshotCluster } from './cluster-snapshot.ts';
import { openClusterStore } from './cluster-store.ts';
import { decodeTransactions, encodeTransactions } from './transaction-codec.ts';

test('a restored cluster has the same accounts, times and ledger', () => {
  const folder = temporaryDataFolder();
  const cluster = busyCluster();
  const store = openClusterStore(folder, silentLog);
  expect(store.load()).toBeUndefined();
  store.save(snapshotCluster({ ...cluster, ahead: 12n }, SIMULATION));
  store.close();
  const restored = reopenStore(folder);
  if (restored === undefined) throw new Error('no stored cluster');
  expect(restored.played).toEqual(SIMULATION);
  expect(restored.ahead).toBe(12n);
  expect(restored.origin).toEqual(ORIGIN);
  expect(restored.newest).toEqual({ slot: 1_005n, unix: 1_700_000_002n });
  const { bank, ledger } = resumeCluster(restored);
  expect([...bank.accounts()]).toEqual([...cluster.bank.accounts()]);
  expect(bank.slot).toBe(cluster.bank.slot);
  expect(bank.timeOf(toSlot(1_003n))).toEqual(cluster.bank.timeOf(toSlot(1_003n)));
  expect(ledgerContents(ledger)).toEqual(ledgerContents(cluster.ledger));
  expect(ledger.rollBack(toSlot(1_002n))).toEqual(cluster.ledger.rollBack(toSlot(1_002n)));
  expect(ledger.size).toBe(4);
  expect(ledgerContents(ledger)).toEqual(ledgerContents(cluster.ledger));
});

test('a restored cluster continues: old transactions are rejected, new ones are found', () => {
  const folder = temporaryDataFolder();
  const store = openClusterStore(folder, silentLog);
  const cluster = busyCluster();
  store.save(toStoredCluster(cluster));
  store.close();
  const restored = reopenStore(folder);
  if (restored === undefined) throw new Error('no stored cluster');
  const resumed = resumeCluster(restored);
  for (const { wire } of cluster.sent) {
    expect(resumed.run(wire)).toEqual({ kind: 'rejected', error: 'AlreadyProcessed' });
  }
  for (const current of [cluster, resumed]) {
    current.advanceSlot(1);
    current.ledger.packOld(10_000);
    current.advanceSlot(2);
  }
  expect(ledgerContents(resumed.ledger)).toEqual(ledgerContents(cluster.ledger));
  expect([...resumed.bank.accounts()]).toEqual([...cluster.bank.accounts()]);
});

test('a cluster that was stored with other slot durations continues at its newest time', () => {
  const stored = toStoredCluster(busyCluster());
  const until = { ...ORIGIN, slot: toSlot(400_000_000n) };
  const plan = { ...SIMULATION, until };
  const executor = createModelExecutor(modelPrograms());
  const restore = (newest: ChainTime) =>
    restoreCluster({ ...stored, played: plan, newest }, executor).cluster.bank;
  expect(restore(stored.newest).origin).toEqual(ORIGIN);
  const later = { ...stored.newest, unix: toUnixSeconds(stored.newest.unix + 90n) };
  const bank = restore(later);
  expect(bank.timeOf(bank.slot)).toEqual(later);
});

test('restored transactions are found by signature, slot and address', () => {
  const cluster = busyCluster();
  const { ledger } = resumeCluster(toStoredCluster(cluster));
  const { sent } = cluster;
  const listed = (list: Iterable<{ readonly signature: string }>) =>
    [...list].map((current) => current.signature);
  const all = sent.map(({ signature }) => signature);
  expect(all.map((signature) => ledger.find(signature)?.signature)).toEqual(all);
  expect(listed(ledger.inSlot(toSlot(1_002n)))).toEqual(all.slice(2, 4));
  expect(listed(ledger.between(toSlot(1_001n), toSlot(1_003n)))).toEqual(all.slice(2, 6));
  // The first wallet sends, and the third sends to the first.
  const first = wallets[0]?.address;
  if (first === undefined) throw new Error('no wallet');
  const expected = sent.filter(({ from }) => from !== 1).map(({ signature }) => signature);
  const newest = expected.toReversed();
  expect(expected).toHaveLength(5);
  expect(listed(ledger.forAddress(first))).toEqual(newest);
  expect(listed(ledger.forAddress(first, { before: newest[1] ?? '' }))).toEqual(newest.slice(2));
  expect(listed(ledger.forAddress(first, { until: newest[4] ?? '' }))).toEqual(newest.slice(0, 4));
});

test('signatures of an address are listed without unpacking a transaction', () => {
  const cluster = busyCluster();
  const stored = toStoredCluster(cluster);
  const unreadable = stored.transactions.map((each) => ({ ...each, packed: Uint8Array.of(1) }));
  const bytes = encodeTransactions(unreadable);
  const { ledger } = resumeCluster({ ...stored, transactions: decodeTransactions(bytes) });
  const first = wallets[0]?.address ?? SYSTEM_PROGRAM;
  const sent = cluster.sent.filter(({ from }) => from !== 1).map(({ signature }) => signature);
  const listed = [...ledger.forAddress(first)];
  expect(listed.map(({ signature }) => signature)).toEqual(sent.toReversed());
  // two transfers in each of the slots 1,001 to 1,004, from wallets 0 1, 1 2, 2 0 and 0 1
  expect(listed.map(({ time }) => time.slot)).toEqual([1_004n, 1_003n, 1_003n, 1_002n, 1_001n]);
  expect(listed.every(({ error, memo }) => error === undefined && memo === undefined)).toBe(true);
});

test('errors and memos of listed transactions are stored', () => {
  const slot = toSlot(7n);
  const custom = { InstructionError: [2, { Custom: 6_000 }] } as const;
  const stored = [
    { error: undefined, memo: undefined },
    { error: custom, memo: undefined },
    { error: undefined, memo: '[2] hi' },
    { error: custom, memo: '[2] hi' },
  ].map((outcome, i) => ({
    signature: `${i}`,
    slot,
    addresses: [SYSTEM_PROGRAM],
    packed: Uint8Array.of(i),
    summary: { signature: `${i}`, time: { slot, unix: toUnixSeconds(9n) }, ...outcome },
  }));
  expect(decodeTransactions(encodeTransactions(stored))).toEqual(stored);
});

test('a cluster that was stored without summaries lists the same signatures', () => {
  const cluster = busyCluster();
  const stored = toStoredCluster(cluster);
  const old = stored.transactions.map((each) => ({ ...each, summary: undefined }));
  const bytes = encodeTransactions(old);
  const { ledger } = resumeCluster({ ...stored, transactions: decodeTransactions(bytes) });
  expect(ledgerContents(ledger)).toEqual(ledgerContents(cluster.ledger));
});

test('a restored bank cannot be rolled back before its snapshot', () => {
  const { bank } = resumeCluster(toStoredCluster(busyCluster()));
  bank.close(toSlot(1_006n));
  expect(catchError(() => bank.rollBack(toSlot(1_004n)))?.code).toBe('MALFORMED_DATA');
  bank.rollBack(toSlot(1_005n));
  expect(bank.slot).toBe(1_005n);
});
