import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, statfsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { formatError } from '@tidegate/core/base';
import { CodedError, hasCode } from '../../errors.ts';
import { ByteReader } from './byte-reader.ts';
import {
  MANIFEST_NAME,
  parseManifest,
  type SnapshotEntry,
  type SnapshotManifest,
} from './snapshot-manifest.ts';
import { BLOCK_BYTES, decodeTarHeader, paddingOf } from './tar-header.ts';
import { syncFile } from './write-archive.ts';

/** Far above the manifest of a folder with 100,000 files. */
const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;

/**
 * Unpacks a snapshot into a new folder and verifies every checksum. `accept` may reject the manifest before anything is
 * written. Throws INVALID_SNAPSHOT.
 */
export async function stageArchive(
  file: string,
  folder: string,
  accept: (manifest: SnapshotManifest) => void,
): Promise<SnapshotManifest> {
  const content = createReadStream(file);
  const unpacked = createGunzip();
  // the reader receives the errors of both streams
  pipeline(content, unpacked, () => undefined);
  try {
    const reader = new ByteReader(unpacked);
    const manifest = await readManifest(reader, file);
    accept(manifest);
    requireSpace(file, folder, manifest);
    for (const entry of manifest.entries) await stageEntry(reader, { file, folder, entry });
    const end = decodeTarHeader(await reader.take(BLOCK_BYTES));
    if (end !== undefined) throw invalid(file, `${end.path} is not in its manifest`);
    await reader.skipRest();
    await syncFolders(folder, manifest);
    return manifest;
  } catch (error) {
    throw toSnapshotError(file, error);
  } finally {
    content.destroy();
    unpacked.destroy();
  }
}

async function readManifest(reader: ByteReader, file: string): Promise<SnapshotManifest> {
  const header = decodeTarHeader(await reader.take(BLOCK_BYTES));
  if (header?.path !== MANIFEST_NAME) throw invalid(file, 'it does not start with a manifest');
  if (header.size > MAX_MANIFEST_BYTES) throw invalid(file, 'its manifest is too large');
  const text = await reader.take(header.size);
  await reader.take(paddingOf(header.size));
  return parseManifest(text.toString('utf8'), file);
}

type StagedEntry = {
  readonly file: string;
  readonly folder: string;
  readonly entry: SnapshotEntry;
};

async function stageEntry(reader: ByteReader, { file, folder, entry }: StagedEntry): Promise<void> {
  const { path, size = 0, sha256 } = entry;
  const header = decodeTarHeader(await reader.take(BLOCK_BYTES));
  const kind = sha256 === undefined ? 'folder' : 'file';
  if (header?.path !== path || header.kind !== kind || header.size !== size) {
    throw invalid(file, `${path} of its manifest is missing`);
  }
  const target = join(folder, path);
  if (kind === 'folder') {
    mkdirSync(target, { mode: 0o700 });
    return;
  }
  const hash = createHash('sha256');
  const handle = await open(target, 'wx', 0o600);
  try {
    for await (const part of reader.parts(size)) {
      hash.update(part);
      await handle.write(part);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  await reader.take(paddingOf(size));
  if (hash.digest('hex') !== sha256) throw invalid(file, `the checksum of ${path} is wrong`);
}

async function syncFolders(folder: string, { entries }: SnapshotManifest): Promise<void> {
  for (const { path, sha256 } of entries) {
    if (sha256 === undefined) await syncFile(join(folder, path));
  }
  await syncFile(folder);
}

function requireSpace(file: string, folder: string, { entries }: SnapshotManifest): void {
  const needed = entries.reduce((sum, { size = 0 }) => sum + size, 0);
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  if (needed <= free) return;
  throw invalid(file, `it needs ${megabytes(needed)}, and ${folder} has ${megabytes(free)} free`);
}

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

export const invalid = (file: string, reason: string, cause?: unknown): CodedError =>
  new CodedError('INVALID_SNAPSHOT', { file, reason }, cause);

/** Errors of the archive itself. Errors of the data folder stay as they are. */
function toSnapshotError(file: string, error: unknown): unknown {
  if (hasCode(error, 'MALFORMED_DATA'))
    return invalid(file, `it is damaged: ${error.context.reason}`);
  if (!(error instanceof Error && 'code' in error)) return error;
  const code = String(error.code);
  if (code.startsWith('Z_')) return invalid(file, `it is damaged (${code})`, error);
  const isOfFile = 'path' in error && error.path === file;
  return isOfFile ? invalid(file, formatError(error), error) : error;
}
