import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { type Slot, toSlot } from '@tidegate/core/base';
import type { ClusterRun } from '../rpc/cluster-controls.ts';
import { isErrno } from './errno.ts';

const MAX_RUNS = 1_000;

/**
 * The runs of a stored cluster, one line each. A copy of the data folder has the same past, but its later runs differ, so
 * that a history tells which of both it belongs to.
 */
export class RunLog {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Adds a run. Returns all runs, the newest last. */
  begin(slot: Slot): readonly ClusterRun[] {
    const runs = [...this.#read(), { id: randomUUID(), slot }].slice(-MAX_RUNS);
    const unfinished = `${this.#path}.new`;
    const file = openSync(unfinished, 'w');
    try {
      writeFileSync(file, runs.map((run) => `${run.id} ${run.slot}\n`).join(''));
      // a history must not know a run that a power failure removes
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(unfinished, this.#path);
    return runs;
  }

  remove(): void {
    rmSync(this.#path, { force: true });
  }

  #read(): ClusterRun[] {
    return readIfPresent(this.#path).flatMap((line) => {
      const [, id, slot] = /^(\S+) (\d+)$/.exec(line) ?? [];
      return id === undefined || slot === undefined ? [] : [{ id, slot: toSlot(BigInt(slot)) }];
    });
  }
}

function readIfPresent(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return [];
    throw error;
  }
}
