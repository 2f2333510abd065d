import { createHash } from 'node:crypto';
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
  const saved = { sizes: Object.fromEntries(sizes), control: hashOf(join(database, CONTROL)) };
  writeFileSync(join(database, FILE), JSON.stringify(saved));
}

/** The engine does not start without it, and does not say so. */
const CONTROL = 'global/pg_control';

const hashOf = (path: string): string =>
  createHash('sha256').update(readFileSync(path)).digest('hex');

/** Call it when the database is open: its files change from now on. */
export function forgetFileSizes(database: string): void {
  rmSync(join(database, FILE), { force: true });
}

/** The first file that is missing, too small or overwritten since the last clean close, as a reason; undefined if there is none. */
export function findDamagedFile(database: string): string | undefined {
  const control = join(database, CONTROL);
  if (sizeOf(control) !== CONTROL_BYTES) return `${CONTROL} is not complete`;
  const saved = readSaved(join(database, FILE));
  if (saved.control !== undefined && saved.control !== hashOf(control)) {
    return `${CONTROL} was overwritten`;
  }
  for (const [path, size] of Object.entries(saved.sizes ?? {})) {
    const found = sizeOf(join(database, path));
    if (found === undefined) return `${path} is missing`;
    if (found < size) return `${path} has ${found} instead of ${size} bytes`;
  }
  return undefined;
}

const CONTROL_BYTES = 8_192;

type Saved = { readonly sizes?: Readonly<Record<string, number>>; readonly control?: string };

function readSaved(path: string): Saved {
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
