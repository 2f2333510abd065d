import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { temporaryDataFolder } from '../../../../../test/support/localnet/stored-clusters.ts';
import { packFolder, unpackFolder } from './folder-archive.ts';

function createFolder(): string {
  const folder = temporaryDataFolder();
  mkdirSync(join(folder, 'a', 'empty'), { recursive: true });
  writeFileSync(
    join(folder, 'a', 'bytes'),
    Uint8Array.from({ length: 1000 }, (_, at) => at * 7),
  );
  writeFileSync(join(folder, 'a', 'nothing'), '');
  writeFileSync(join(folder, 'tïde'), 'text');
  return folder;
}

const contents = (folder: string) =>
  readdirSync(folder, { encoding: 'utf8', recursive: true })
    .sort()
    .map((path) => ({ path, full: join(folder, path) }))
    .map(({ path, full }) =>
      statSync(full).isDirectory() ? path : `${path} ${readFileSync(full).toString('hex')}`,
    );

test('unpacking restores a packed folder, including empty files and folders', () => {
  const folder = createFolder();
  const copy = join(temporaryDataFolder(), 'new', 'folder');
  unpackFolder(packFolder(folder), copy);
  expect(contents(copy)).toEqual(contents(folder));
  expect(contents(copy)).toHaveLength(5);
});

test('unpacking rejects a truncated archive', () => {
  const packed = packFolder(createFolder());
  const truncated = gzipSync(gunzipSync(packed).subarray(0, -1));
  expect(catchError(() => unpackFolder(truncated, temporaryDataFolder()))?.code).toBe(
    'MALFORMED_DATA',
  );
});
