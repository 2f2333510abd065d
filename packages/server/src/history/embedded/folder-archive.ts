import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { CodedError } from '../../errors.ts';

/** `size` is null for a folder. */
type Entry = { readonly path: string; readonly size: number | null };

const HEADER_SIZE_BYTES = 4;

/** Packs all files and subfolders of a folder into one compressed archive. */
export function packFolder(folder: string): Uint8Array {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  const contents: Uint8Array[] = [];
  const entries = found.map((entry): Entry => {
    const full = join(entry.parentPath, entry.name);
    const path = relative(folder, full).split(sep).join('/');
    if (entry.isDirectory()) return { path, size: null };
    const content = readFileSync(full);
    contents.push(content);
    return { path, size: content.length };
  });
  const header = Buffer.from(JSON.stringify(entries));
  const headerSize = Buffer.alloc(HEADER_SIZE_BYTES);
  headerSize.writeUInt32LE(header.length);
  return gzipSync(Buffer.concat([headerSize, header, ...contents]));
}

/** Creates the folder. Only for trusted archives from `packFolder`: paths are not validated. */
export function unpackFolder(packed: Uint8Array, folder: string): void {
  const bytes = gunzipSync(packed);
  let at = HEADER_SIZE_BYTES + bytes.readUInt32LE(0);
  const entries: readonly Entry[] = JSON.parse(bytes.toString('utf8', HEADER_SIZE_BYTES, at));
  mkdirSync(folder, { recursive: true });
  for (const { path, size } of entries) {
    const target = join(folder, path);
    mkdirSync(size === null ? target : dirname(target), { recursive: true });
    if (size === null) continue;
    writeFileSync(target, bytes.subarray(at, at + size));
    at += size;
  }
  if (at === bytes.length) return;
  throw new CodedError('MALFORMED_DATA', { what: 'packed folder', reason: 'its size is wrong' });
}
