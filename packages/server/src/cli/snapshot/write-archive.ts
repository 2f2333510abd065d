import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { CodedError } from '../../errors.ts';
import { MANIFEST_NAME, type SnapshotEntry, type SnapshotManifest } from './snapshot-manifest.ts';
import { BLOCK_BYTES, encodeTarHeader, MAX_FILE_BYTES, paddingOf } from './tar-header.ts';

/** Writes a compressed tar archive under its final name when it is complete. Only the owner can read it. */
export async function writeArchive(
  file: string,
  dataDir: string,
  manifest: SnapshotManifest,
): Promise<void> {
  const unfinished = `${file}.unfinished`;
  await rm(unfinished, { force: true });
  try {
    await pipeline(
      Readable.from(archiveChunks(dataDir, manifest)),
      createGzip(),
      createWriteStream(unfinished, { flags: 'wx', mode: 0o600 }),
    );
    await syncFile(unfinished);
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** A power failure must not leave a final name on unwritten data. */
export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function* archiveChunks(
  dataDir: string,
  manifest: SnapshotManifest,
): AsyncGenerator<Uint8Array> {
  const modifiedAt = Date.parse(manifest.savedAt) / 1000;
  const text = Buffer.from(`${JSON.stringify(manifest)}\n`);
  yield encodeTarHeader({ path: MANIFEST_NAME, kind: 'file', size: text.length, modifiedAt });
  yield text;
  yield Buffer.alloc(paddingOf(text.length));
  for (const entry of manifest.entries) {
    const { path, size = 0, sha256 } = entry;
    if (size > MAX_FILE_BYTES) throw changedFile(dataDir, path, 'is too large for a tar archive');
    const kind = sha256 === undefined ? 'folder' : 'file';
    yield encodeTarHeader({ path, kind, size, modifiedAt });
    if (kind === 'file') yield* fileChunks(dataDir, entry);
  }
  yield Buffer.alloc(2 * BLOCK_BYTES);
}

/** Throws if the file is no longer the one of the manifest. */
async function* fileChunks(
  dataDir: string,
  { path, size = 0, sha256 }: SnapshotEntry,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let written = 0;
  for await (const chunk of createReadStream(join(dataDir, path))) {
    hash.update(chunk);
    written += chunk.length;
    if (written > size) break;
    yield chunk;
  }
  if (written !== size || hash.digest('hex') !== sha256) {
    throw changedFile(dataDir, path, 'changed while it was saved');
  }
  yield Buffer.alloc(paddingOf(size));
}

const changedFile = (dataDir: string, path: string, problem: string): CodedError =>
  new CodedError('INVALID_USAGE', {
    reason: `${join(dataDir, path)} ${problem}.`,
    command: 'snapshot save',
  });
