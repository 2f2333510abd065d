import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** In the database folder, from a clean close to the next open. The engine ignores it. */
const FILE = 'tidegate-file-sizes.json';

/** Folders with the content of the database. */
const FOLDERS = ['base', 'global', 'pg_xact', 'pg_wal'];

/** Call it after a clean close: a file that is smaller at the next open was damaged in the meantime. */
export function saveFileSizes(database: string): void {
  const sizes = FOLDERS.flatMap((folder) => listFiles(database, folder)).map((path) => [
    path,
    statSync(join(database, path)).size,
  ]);
  writeFileSync(join(database, FILE), JSON.stringify(Object.fromEntries(sizes)));
}

/** Call it when the database is open: its files change from now on. */
export function forgetFileSizes(database: string): void {
  rmSync(join(database, FILE), { force: true });
}

/** The first file that is missing or too small since the last clean close, as a reason; undefined if there is none. */
export function findDamagedFile(database: string): string | undefined {
  const control = join('global', 'pg_control');
  if (sizeOf(join(database, control)) !== CONTROL_BYTES) return `${control} is not complete`;
  for (const [path, size] of Object.entries(readSizes(join(database, FILE)))) {
    const found = sizeOf(join(database, path));
    if (found === undefined) return `${path} is missing`;
    if (found < size) return `${path} has ${found} instead of ${size} bytes`;
  }
  return undefined;
}

const CONTROL_BYTES = 8_192;

function readSizes(path: string): Readonly<Record<string, number>> {
  if (!existsSync(path)) return {};
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // it was not written completely, so it says nothing
    return {};
  }
}

const sizeOf = (path: string): number | undefined =>
  statSync(path, { throwIfNoEntry: false })?.size;

const listFiles = (database: string, folder: string): string[] =>
  readdirSync(join(database, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(database, join(entry.parentPath, entry.name)).split(sep).join('/'));
