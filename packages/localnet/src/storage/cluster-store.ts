import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger, Slot } from '@tidegate/core/base';
import { CodedError } from '../errors/index.ts';
import type { ClusterRun } from '../rpc/cluster-controls.ts';
import { applyJournal, type ClusterSnapshot, type JournalEntry } from './cluster-snapshot.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { JournalFile } from './journal-file.ts';
import { RunLog } from './run-log.ts';
import { type SnapshotContent, SnapshotFile } from './snapshot-file.ts';

const JOURNAL_LIMIT_BYTES = 32 * 1024 * 1024;

const snapshotPath = (folder: string): string => join(folder, 'cluster.snapshot');

/** Whether a cluster is stored in the folder, readable or not. */
export const hasStoredCluster = (folder: string): boolean => existsSync(snapshotPath(folder));

/** Locks the folder and creates it if it is missing. Throws if another process uses it. */
export const openClusterStore = (folder: string, log: Logger): ClusterStore =>
  new ClusterStore(folder, log);

/** A cluster in a locked folder: a snapshot, and a journal of later slots. */
export class ClusterStore {
  readonly #folder: string;
  readonly #log: Logger;
  readonly #lock: FolderLock;
  readonly #snapshot: SnapshotFile;
  readonly #journal: JournalFile;
  readonly #runs: RunLog;

  constructor(folder: string, log: Logger) {
    this.#folder = folder;
    this.#log = log;
    this.#lock = lockFolder(folder, 'cluster.lock');
    this.#snapshot = new SnapshotFile(snapshotPath(folder));
    this.#journal = new JournalFile(join(folder, 'cluster.journal'));
    this.#runs = new RunLog(join(folder, 'cluster.runs'));
    this.#snapshot.removeUnfinished();
  }

  /**
   * The cluster at its last stored slot; undefined if none is stored. Throws if it cannot be read.
   */
  load(): ClusterSnapshot | undefined {
    const snapshot = this.#readOrThrow(() => this.#snapshot.read());
    if (snapshot === undefined) return undefined;
    if ('reason' in snapshot) throw this.#unreadable(snapshot.reason);
    const cluster = this.#withJournal(snapshot);
    if (cluster === snapshot.cluster) this.#journal.begin(snapshot.id);
    else this.save(cluster);
    return cluster;
  }

  /** Replaces everything stored. */
  save(cluster: ClusterSnapshot): void {
    this.#journal.begin(this.#snapshot.write(cluster));
  }

  /** An appended slot survives the end of the process; append before subscribers are notified. */
  append(entry: JournalEntry): void {
    this.#journal.append(entry);
  }

  /** Whether the journal is large enough to be replaced by a snapshot. */
  get isFull(): boolean {
    return this.#journal.size > JOURNAL_LIMIT_BYTES;
  }

  clear(): void {
    this.#snapshot.remove();
    this.#journal.remove();
    this.#runs.remove();
  }

  /** Call it before the cluster runs. Returns all runs, the newest last. */
  beginRun(slot: Slot): readonly ClusterRun[] {
    return this.#runs.begin(slot);
  }

  /** Releases the folder. */
  close(): void {
    this.#journal.close();
    this.#lock.release();
  }

  #withJournal({ id, cluster }: SnapshotContent): ClusterSnapshot {
    const { slots, torn } = this.#readOrThrow(() => this.#journal.read(id));
    if (torn > 0) {
      const context = { folder: this.#folder, slots: slots.length, bytes: torn };
      this.#log.warn(context, 'the damaged end of the journal was dropped');
    }
    return applyJournal(cluster, slots);
  }

  /** Intact data that cannot be decoded was written by another Node version. */
  #readOrThrow<Content>(read: () => Content): Content {
    try {
      return read();
    } catch (error) {
      if (error instanceof Error && 'syscall' in error) throw error;
      throw this.#unreadable('its content has an unknown format', error);
    }
  }

  #unreadable(reason: string, cause?: unknown): CodedError {
    return new CodedError('DATA_FOLDER_UNREADABLE', { folder: this.#folder, reason }, cause);
  }
}
