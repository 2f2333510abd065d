import { join } from 'node:path';
import { CodedError, type Logger } from '@tidegate/core/base';
import { applyJournal, type ClusterSnapshot, type JournalEntry } from './cluster-snapshot.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { JournalFile } from './journal-file.ts';
import { type SnapshotContent, SnapshotFile } from './snapshot-file.ts';

const JOURNAL_LIMIT_BYTES = 32 * 1024 * 1024;

/** Takes the folder, which is made if it is missing; refused where another process has it. */
export const openClusterStore = (folder: string, log: Logger): ClusterStore =>
  new ClusterStore(folder, log);

/** A cluster in a folder that is nobody else's: a snapshot, and a journal of what came after it. */
export class ClusterStore {
  readonly #folder: string;
  readonly #log: Logger;
  readonly #lock: FolderLock;
  readonly #snapshot: SnapshotFile;
  readonly #journal: JournalFile;

  constructor(folder: string, log: Logger) {
    this.#folder = folder;
    this.#log = log;
    this.#lock = lockFolder(folder, 'cluster.lock');
    this.#snapshot = new SnapshotFile(join(folder, 'cluster.snapshot'));
    this.#journal = new JournalFile(join(folder, 'cluster.journal'));
    this.#snapshot.removeUnfinished();
  }

  /** As of the last slot that was appended; undefined when there is none. One that cannot be read is refused. */
  load(): ClusterSnapshot | undefined {
    const snapshot = this.#reading(() => this.#snapshot.read());
    if (snapshot === undefined) return undefined;
    if ('reason' in snapshot) throw this.#unreadable(snapshot.reason);
    const cluster = this.#withJournal(snapshot);
    if (cluster === snapshot.cluster) this.#journal.begin(snapshot.id);
    else this.save(cluster);
    return cluster;
  }

  /** Replaces all that is there. */
  save(cluster: ClusterSnapshot): void {
    this.#journal.begin(this.#snapshot.write(cluster));
  }

  /** Before anybody is told of the slot: what was appended outlives the process, however that ends. */
  append(slot: JournalEntry): void {
    this.#journal.append(slot);
  }

  /** Whether the journal has become so large that it is time to save. */
  get isFull(): boolean {
    return this.#journal.size > JOURNAL_LIMIT_BYTES;
  }

  clear(): void {
    this.#snapshot.remove();
    this.#journal.remove();
  }

  /** Lets others have the folder. */
  close(): void {
    this.#journal.close();
    this.#lock.release();
  }

  #withJournal({ id, cluster }: SnapshotContent): ClusterSnapshot {
    const { slots, torn } = this.#reading(() => this.#journal.read(id));
    if (torn > 0) {
      const facts = { folder: this.#folder, slots: slots.length, bytes: torn };
      this.#log.warn(facts, 'the end of the journal is damaged and was dropped');
    }
    return applyJournal(cluster, slots);
  }

  /** What is whole, and still cannot be decoded, was written by another release of Node. */
  #reading<Content>(read: () => Content): Content {
    try {
      return read();
    } catch (error) {
      if (error instanceof Error && 'syscall' in error) throw error;
      throw this.#unreadable('its content has a form that is not known here', error);
    }
  }

  #unreadable(reason: string, cause?: unknown): CodedError {
    return new CodedError('DATA_FOLDER_UNREADABLE', { folder: this.#folder, reason }, cause);
  }
}
