import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockFolder } from '@tidegate/localnet/storage';
import { syncFile } from './write-archive.ts';

/**
 * A restore is committed by writing the marker. From then on the staged files replace the old ones, by this process or,
 * after a crash, by the next command that uses the data folder.
 */
type RestoreMarker = {
  /** Names in the data folder that are replaced by their staged copies. */
  readonly restored: readonly string[];
  /** Names in the data folder that the snapshot does not have. */
  readonly removed: readonly string[];
};

const MARKER_NAME = 'restore.json';
const STAGED_NAME = 'restore.staged';
const LOCK_NAME = 'restore.lock';

const markerPath = (dataDir: string): string => join(dataDir, MARKER_NAME);

export const stagedFolder = (dataDir: string): string => join(dataDir, STAGED_NAME);

/** Held while a snapshot is loaded or a restore is completed. */
export const lockRestore = (dataDir: string) => lockFolder(dataDir, LOCK_NAME);

/** After this call the data folder counts as restored. */
export async function commitRestore(dataDir: string, marker: RestoreMarker): Promise<void> {
  const unfinished = `${markerPath(dataDir)}.new`;
  writeFileSync(unfinished, JSON.stringify(marker), { mode: 0o600 });
  await syncFile(unfinished);
  renameSync(unfinished, markerPath(dataDir));
  await syncFile(dataDir);
}

/** Completes a restore that was committed and interrupted. Does nothing without a marker. */
export async function completeInterruptedRestore(dataDir: string): Promise<void> {
  if (!existsSync(markerPath(dataDir))) return;
  const lock = lockRestore(dataDir);
  try {
    await completeRestore(dataDir);
  } finally {
    lock.release();
  }
}

/** Can be repeated after an interruption at any point. The caller holds the lock. */
export async function completeRestore(dataDir: string): Promise<void> {
  if (!existsSync(markerPath(dataDir))) return;
  const marker: RestoreMarker = JSON.parse(readFileSync(markerPath(dataDir), 'utf8'));
  for (const name of marker.restored) {
    const staged = join(stagedFolder(dataDir), name);
    if (!existsSync(staged)) continue;
    rmSync(join(dataDir, name), { recursive: true, force: true });
    renameSync(staged, join(dataDir, name));
  }
  for (const name of marker.removed) rmSync(join(dataDir, name), { recursive: true, force: true });
  await syncFile(dataDir);
  rmSync(markerPath(dataDir));
  rmSync(stagedFolder(dataDir), { recursive: true, force: true });
}
