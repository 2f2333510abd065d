import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const CHUNK = Buffer.alloc(64 * 1_024, 1);

/** A folder on a file system of its own, if this user may mount one. */
export type SmallDisk = {
  readonly folder: string;
  /** Undefined if the folder is not on a file system of its own: it must not be filled. */
  readonly fill: (() => void) | undefined;
  empty(): void;
  remove(): void;
};

export function createSmallDisk(folder: string, megabytes: number): SmallDisk {
  mkdirSync(folder, { recursive: true });
  const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder];
  const isMounted = process.getuid?.() === 0 && spawnSync('mount', options).status === 0;
  const ballast = join(folder, 'ballast');
  const unmount = () => {
    if (isMounted) spawnSync('umount', ['--lazy', folder]);
  };
  // also if the tests are interrupted
  process.once('exit', unmount);
  return {
    folder,
    fill: isMounted ? () => writeUntilFull(ballast) : undefined,
    empty: () => rmSync(ballast, { force: true }),
    remove() {
      process.off('exit', unmount);
      unmount();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function writeUntilFull(path: string): void {
  const file = openSync(path, 'w');
  try {
    for (;;) writeSync(file, CHUNK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
}
