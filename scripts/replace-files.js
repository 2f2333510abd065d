import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/** A running program may still load a file of the build that it was started from. */
const OLD_MS = 3_600_000;

/**
 * Writes `files` ({name, contents}) in their order, and removes other files of the folder that are old. Another process may
 * read the folder or build it at the same time, so each file is replaced as a whole.
 */
export function replaceFiles(folder, files) {
  for (const { name, contents } of files) {
    const path = join(folder, name);
    const unfinished = `${path}.${process.pid}`;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(unfinished, contents);
    renameSync(unfinished, path);
  }
  const names = new Set(files.map(({ name }) => name));
  for (const name of readdirSync(folder, { recursive: true })) {
    if (names.has(name.split(sep).join('/'))) continue;
    const info = statSync(join(folder, name), { throwIfNoEntry: false });
    if (info?.isFile() && info.mtimeMs < Date.now() - OLD_MS) {
      rmSync(join(folder, name), { force: true });
    }
  }
}
