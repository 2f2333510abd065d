import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toSlot } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { catchError } from '../../../../test/support/errors/catch-error.ts';
import { silentLog } from '../../../../test/support/fakes/silent-log.ts';
import {
  advanceStoredSlot,
  busyCluster,
  IDLE_ACCOUNT,
  ledgerContents,
  reopenStore,
  resumeCluster,
  startCluster,
  temporaryDataFolder,
  toStoredCluster,
  wallets,
  warningsLog,
} from '../../../../test/support/localnet/stored-clusters.ts';
import { CodedError } from '../errors/index.ts';
import { openClusterStore } from './cluster-store.ts';
import { unpackAccounts } from './packed-account.ts';

const snapshotOf = (folder: string) => join(folder, 'cluster.snapshot');
const journalOf = (folder: string) => join(folder, 'cluster.journal');

test('the journal is applied once on top of the snapshot and merged into the next one', () => {
  const folder = temporaryDataFolder();
  const cluster = busyCluster();
  const store = openClusterStore(folder, silentLog);
  store.save(toStoredCluster(cluster));
  for (const sender of [2, 1, 0]) advanceStoredSlot(store, cluster, sender);
  store.close();
  const before = readFileSync(snapshotOf(folder));
  const journal = readFileSync(journalOf(folder));
  for (let start = 0; start < 2; start++) {
    const restored = reopenStore(folder);
    if (restored === undefined) throw new Error('no stored cluster');
    const { bank, ledger } = resumeCluster(restored);
    expect(restored.newest.slot).toBe(1_008n);
    expect([...bank.accounts()]).toEqual([...cluster.bank.accounts()]);
    expect(ledgerContents(ledger)).toEqual(ledgerContents(cluster.ledger));
    expect(readFileSync(journalOf(folder)).length).toBeLessThan(20);
  }
  expect(readFileSync(snapshotOf(folder)).equals(before)).toBe(false);
  // As if the process had ended between writing the snapshot and the journal.
  writeFileSync(journalOf(folder), journal);
  expect(reopenStore(folder)?.transactions).toHaveLength(cluster.ledger.size);
});

test('without journal entries, the snapshot stays and new entries extend it', () => {
  const folder = temporaryDataFolder();
  const cluster = busyCluster();
  const store = openClusterStore(folder, silentLog);
  store.save(toStoredCluster(cluster));
  store.close();
  const before = readFileSync(snapshotOf(folder));
  const reopened = openClusterStore(folder, silentLog);
  reopened.load();
  expect(readFileSync(snapshotOf(folder)).equals(before)).toBe(true);
  advanceStoredSlot(reopened, cluster, 0);
  reopened.close();
  expect(reopenStore(folder)?.newest.slot).toBe(1_006n);
});

test('rolled-back slots do not return, however soon the process ends', () => {
  const folder = temporaryDataFolder();
  const cluster = busyCluster();
  const store = openClusterStore(folder, silentLog);
  store.save(toStoredCluster(cluster));
  advanceStoredSlot(store, cluster, 0);
  const journal = readFileSync(journalOf(folder));
  cluster.bank.rollBack(toSlot(1_005n));
  cluster.ledger.rollBack(toSlot(1_005n));
  store.save(toStoredCluster(cluster));
  store.close();
  writeFileSync(journalOf(folder), journal);
  const restored = reopenStore(folder);
  expect(restored?.newest.slot).toBe(1_005n);
  expect(restored?.transactions).toHaveLength(8);
  const accounts = unpackAccounts(restored?.accounts ?? new Map());
  const view = cluster.bank.view(toSlot(1_005n));
  for (const { address } of wallets) expect(accounts.get(address)).toEqual(view.account(address));
});

test('appending fails without a snapshot', () => {
  const store = openClusterStore(temporaryDataFolder(), silentLog);
  const cluster = startCluster();
  expect(catchError(() => advanceStoredSlot(store, cluster, 0))?.code).toBe('MALFORMED_DATA');
  store.close();
});

test('a snapshot of another format is rejected and not overwritten', () => {
  const folder = temporaryDataFolder();
  const store = openClusterStore(folder, silentLog);
  store.save(toStoredCluster(busyCluster()));
  store.close();
  const bytes = readFileSync(snapshotOf(folder));
  expect(bytes.readUInt32LE(8)).toBe(1);
  bytes.writeUInt32LE(7, 8);
  writeFileSync(snapshotOf(folder), bytes);
  const reason = 'it has format 7, and this release reads format 1';
  expect(() => reopenStore(folder)).toThrow(
    new CodedError('DATA_FOLDER_UNREADABLE', { folder, reason }),
  );
  expect(() => reopenStore(folder)).toThrow('--fresh');
  expect(readFileSync(snapshotOf(folder)).equals(bytes)).toBe(true);
});

test('a damaged snapshot is rejected, wherever the damage is', () => {
  const folder = temporaryDataFolder();
  const store = openClusterStore(folder, silentLog);
  store.save(toStoredCluster(busyCluster()));
  store.close();
  const whole = readFileSync(snapshotOf(folder));
  const isRejected = (bytes: Uint8Array) => {
    writeFileSync(snapshotOf(folder), bytes);
    return catchError(() => reopenStore(folder))?.code === 'DATA_FOLDER_UNREADABLE';
  };
  const flipped = (at: number) => Buffer.from(whole).fill((whole[at] ?? 0) ^ 0x10, at, at + 1);
  const step = Math.floor(whole.length / 50);
  const offsets = Array.from({ length: 100 }, (_, i) => (i < 50 ? i : (i - 49) * step - 1));
  expect(offsets.filter((at) => !isRejected(flipped(at)))).toEqual([]);
  const lengths = [0, 1, 8, 31, 32, 33, whole.length - 1];
  expect(lengths.filter((length) => !isRejected(whole.subarray(0, length)))).toEqual([]);
  expect(isRejected(Buffer.concat([whole, Buffer.of(0)]))).toBe(true);
  expect(isRejected(whole)).toBe(false);
});

test('an unfinished snapshot is ignored and deleted', () => {
  const folder = temporaryDataFolder();
  const unfinished = `${snapshotOf(folder)}.new`;
  writeFileSync(unfinished, 'half a clus');
  expect(reopenStore(folder)).toBeUndefined();
  expect(readdirSync(folder)).toEqual([]);
  const store = openClusterStore(folder, silentLog);
  store.save(toStoredCluster(busyCluster()));
  expect(readdirSync(folder).sort()).toEqual([
    'cluster.journal',
    'cluster.lock',
    'cluster.snapshot',
  ]);
  store.close();
  writeFileSync(unfinished, 'half a clus');
  expect(reopenStore(folder)?.newest.slot).toBe(1_005n);
  expect(existsSync(unfinished)).toBe(false);
});

test('a journal without its snapshot is not applied', () => {
  const folder = temporaryDataFolder();
  const cluster = busyCluster();
  const store = openClusterStore(folder, silentLog);
  store.save(toStoredCluster(cluster));
  advanceStoredSlot(store, cluster, 0);
  store.close();
  renameSync(snapshotOf(folder), join(folder, 'elsewhere'));
  expect(reopenStore(folder)).toBeUndefined();
});

test('a cleared cluster is gone', () => {
  const folder = temporaryDataFolder();
  const cluster = busyCluster();
  const store = openClusterStore(folder, silentLog);
  store.save(toStoredCluster(cluster));
  advanceStoredSlot(store, cluster, 0);
  store.clear();
  expect(store.load()).toBeUndefined();
  expect(catchError(() => advanceStoredSlot(store, cluster, 0))?.code).toBe('MALFORMED_DATA');
  store.close();
  expect(readdirSync(folder)).toEqual([]);
});

test('a torn journal is logged once and can be extended', () => {
  const folder = temporaryDataFolder();
  const cluster = busyCluster();
  const store = openClusterStore(folder, silentLog);
  store.save(toStoredCluster(cluster));
  store.close();
  writeFileSync(journalOf(folder), 'torn', { flag: 'a' });
  const log = warningsLog();
  const reopened = openClusterStore(folder, log);
  expect(reopened.load()?.newest.slot).toBe(1_005n);
  const message = 'the damaged end of the journal was dropped';
  expect(log.warnings).toEqual([{ folder, slots: 0, bytes: 4, message }]);
  advanceStoredSlot(reopened, cluster, 0);
  reopened.close();
  expect(reopenStore(folder, log)?.newest.slot).toBe(1_006n);
  expect(log.warnings).toHaveLength(1);
});

test('a journal is full at some tens of megabytes', () => {
  const store = openClusterStore(temporaryDataFolder(), silentLog);
  const cluster = toStoredCluster(startCluster());
  const { newest: time } = cluster;
  const packed = new Uint8Array(20 * 1024 * 1024);
  const accounts = new Map([[IDLE_ACCOUNT, { owner: IDLE_ACCOUNT, lamports: 1n, packed }]]);
  store.save(cluster);
  const fullness = [1, 2].map(() => {
    store.append({ time, ahead: 0n, accounts, transactions: [] });
    return store.isFull;
  });
  expect(fullness).toEqual([false, true]);
  store.save(cluster);
  expect(store.isFull).toBe(false);
  store.close();
});

test('two stores cannot share a folder', () => {
  const folder = temporaryDataFolder();
  const store = openClusterStore(folder, silentLog);
  expect(catchError(() => openClusterStore(folder, silentLog))?.code).toBe('DATA_FOLDER_IN_USE');
  store.close();
  openClusterStore(folder, silentLog).close();
});
