import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CodedError, toSlot } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { errorCode } from '../../../../test/support/errors/catch-error.ts';
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
import { openClusterStore } from './cluster-store.ts';
import { unpackAccounts } from './packed-account.ts';

const snapshotOf = (folder: string) => join(folder, 'cluster.snapshot');
const journalOf = (folder: string) => join(folder, 'cluster.journal');

test('the journal is put on top of the snapshot, once, and becomes part of the next', () => {
  const folder = temporaryDataFolder();
  const cluster = busyCluster();
  const kept = openClusterStore(folder, silentLog);
  kept.save(toStoredCluster(cluster));
  for (const sender of [2, 1, 0]) advanceStoredSlot(kept, cluster, sender);
  kept.close();
  const before = readFileSync(snapshotOf(folder));
  const journal = readFileSync(journalOf(folder));
  for (let start = 0; start < 2; start++) {
    const back = reopenStore(folder);
    if (back === undefined) throw new Error('nothing is there');
    const { bank, ledger } = resumeCluster(back);
    expect(back.newest.slot).toBe(1_008n);
    expect([...bank.accounts()]).toEqual([...cluster.bank.accounts()]);
    expect(ledgerContents(ledger)).toEqual(ledgerContents(cluster.ledger));
    expect(readFileSync(journalOf(folder)).length).toBeLessThan(20);
  }
  expect(readFileSync(snapshotOf(folder)).equals(before)).toBe(false);
  // as if the process had ended between the new snapshot and the new journal
  writeFileSync(journalOf(folder), journal);
  expect(reopenStore(folder)?.transactions).toHaveLength(cluster.ledger.size);
});

test('what is appended after a start without news goes on from the same snapshot', () => {
  const folder = temporaryDataFolder();
  const cluster = busyCluster();
  const kept = openClusterStore(folder, silentLog);
  kept.save(toStoredCluster(cluster));
  kept.close();
  const before = readFileSync(snapshotOf(folder));
  const again = openClusterStore(folder, silentLog);
  again.load();
  expect(readFileSync(snapshotOf(folder)).equals(before)).toBe(true);
  advanceStoredSlot(again, cluster, 0);
  again.close();
  expect(reopenStore(folder)?.newest.slot).toBe(1_006n);
});

test('slots that were rolled back do not come back, however soon the process ends', () => {
  const folder = temporaryDataFolder();
  const cluster = busyCluster();
  const kept = openClusterStore(folder, silentLog);
  kept.save(toStoredCluster(cluster));
  advanceStoredSlot(kept, cluster, 0);
  const journal = readFileSync(journalOf(folder));
  cluster.bank.rollBack(toSlot(1_005n));
  cluster.ledger.rollBack(toSlot(1_005n));
  kept.save(toStoredCluster(cluster));
  kept.close();
  writeFileSync(journalOf(folder), journal);
  const back = reopenStore(folder);
  expect(back?.newest.slot).toBe(1_005n);
  expect(back?.transactions).toHaveLength(8);
  const accounts = unpackAccounts(back?.accounts ?? new Map());
  const view = cluster.bank.view(toSlot(1_005n));
  for (const { address } of wallets) expect(accounts.get(address)).toEqual(view.account(address));
});

test('nothing is appended to nothing', () => {
  const kept = openClusterStore(temporaryDataFolder(), silentLog);
  const cluster = startCluster();
  expect(errorCode(() => advanceStoredSlot(kept, cluster, 0))).toBe('MALFORMED_DATA');
  kept.close();
});

test('a snapshot of another format is refused, and stays', () => {
  const folder = temporaryDataFolder();
  const kept = openClusterStore(folder, silentLog);
  kept.save(toStoredCluster(busyCluster()));
  kept.close();
  const bytes = readFileSync(snapshotOf(folder));
  expect(bytes.readUInt32LE(8)).toBe(1);
  bytes.writeUInt32LE(7, 8);
  writeFileSync(snapshotOf(folder), bytes);
  const reason = 'it is of format 7, and this release reads 1';
  expect(() => reopenStore(folder)).toThrow(
    new CodedError('DATA_FOLDER_UNREADABLE', { folder, reason }),
  );
  expect(() => reopenStore(folder)).toThrow('--fresh');
  expect(readFileSync(snapshotOf(folder)).equals(bytes)).toBe(true);
});

test('a damaged snapshot is refused, wherever the damage is', () => {
  const folder = temporaryDataFolder();
  const kept = openClusterStore(folder, silentLog);
  kept.save(toStoredCluster(busyCluster()));
  kept.close();
  const whole = readFileSync(snapshotOf(folder));
  const isRefused = (bytes: Uint8Array) => {
    writeFileSync(snapshotOf(folder), bytes);
    return errorCode(() => reopenStore(folder)) === 'DATA_FOLDER_UNREADABLE';
  };
  const flipped = (at: number) => Buffer.from(whole).fill((whole[at] ?? 0) ^ 0x10, at, at + 1);
  const step = Math.floor(whole.length / 50);
  const offsets = Array.from({ length: 100 }, (_, i) => (i < 50 ? i : (i - 49) * step - 1));
  expect(offsets.filter((at) => !isRefused(flipped(at)))).toEqual([]);
  const lengths = [0, 1, 8, 31, 32, 33, whole.length - 1];
  expect(lengths.filter((length) => !isRefused(whole.subarray(0, length)))).toEqual([]);
  expect(isRefused(Buffer.concat([whole, Buffer.of(0)]))).toBe(true);
  expect(isRefused(whole)).toBe(false);
});

test('a snapshot that was never finished is nothing, and is cleaned away', () => {
  const folder = temporaryDataFolder();
  const unfinished = `${snapshotOf(folder)}.new`;
  writeFileSync(unfinished, 'half a clus');
  expect(reopenStore(folder)).toBeUndefined();
  expect(readdirSync(folder)).toEqual([]);
  const kept = openClusterStore(folder, silentLog);
  kept.save(toStoredCluster(busyCluster()));
  expect(readdirSync(folder).sort()).toEqual([
    'cluster.journal',
    'cluster.lock',
    'cluster.snapshot',
  ]);
  kept.close();
  writeFileSync(unfinished, 'half a clus');
  expect(reopenStore(folder)?.newest.slot).toBe(1_005n);
  expect(existsSync(unfinished)).toBe(false);
});

test('a journal whose snapshot is gone is not replayed', () => {
  const folder = temporaryDataFolder();
  const cluster = busyCluster();
  const kept = openClusterStore(folder, silentLog);
  kept.save(toStoredCluster(cluster));
  advanceStoredSlot(kept, cluster, 0);
  kept.close();
  renameSync(snapshotOf(folder), join(folder, 'elsewhere'));
  expect(reopenStore(folder)).toBeUndefined();
});

test('what is cleared is gone', () => {
  const folder = temporaryDataFolder();
  const cluster = busyCluster();
  const kept = openClusterStore(folder, silentLog);
  kept.save(toStoredCluster(cluster));
  advanceStoredSlot(kept, cluster, 0);
  kept.clear();
  expect(kept.load()).toBeUndefined();
  expect(errorCode(() => advanceStoredSlot(kept, cluster, 0))).toBe('MALFORMED_DATA');
  kept.close();
  expect(readdirSync(folder)).toEqual([]);
});

test('a torn journal is told of in one line, and what is appended then is found', () => {
  const folder = temporaryDataFolder();
  const cluster = busyCluster();
  const kept = openClusterStore(folder, silentLog);
  kept.save(toStoredCluster(cluster));
  kept.close();
  writeFileSync(journalOf(folder), 'torn', { flag: 'a' });
  const log = warningsLog();
  const again = openClusterStore(folder, log);
  expect(again.load()?.newest.slot).toBe(1_005n);
  const message = 'the end of the journal is damaged and was dropped';
  expect(log.warnings).toEqual([{ folder, slots: 0, bytes: 4, message }]);
  advanceStoredSlot(again, cluster, 0);
  again.close();
  expect(reopenStore(folder, log)?.newest.slot).toBe(1_006n);
  expect(log.warnings).toHaveLength(1);
});

test('a journal is full when it is larger than some tens of megabytes', () => {
  const kept = openClusterStore(temporaryDataFolder(), silentLog);
  const cluster = toStoredCluster(startCluster());
  const { newest: time } = cluster;
  const packed = new Uint8Array(20 * 1024 * 1024);
  const accounts = new Map([[IDLE_ACCOUNT, { owner: IDLE_ACCOUNT, lamports: 1n, packed }]]);
  kept.save(cluster);
  const fullness = [1, 2].map(() => {
    kept.append({ time, ahead: 0n, accounts, transactions: [] });
    return kept.isFull;
  });
  expect(fullness).toEqual([false, true]);
  kept.save(cluster);
  expect(kept.isFull).toBe(false);
  kept.close();
});

test('two never share a folder', () => {
  const folder = temporaryDataFolder();
  const kept = openClusterStore(folder, silentLog);
  expect(errorCode(() => openClusterStore(folder, silentLog))).toBe('DATA_FOLDER_IN_USE');
  kept.close();
  openClusterStore(folder, silentLog).close();
});
