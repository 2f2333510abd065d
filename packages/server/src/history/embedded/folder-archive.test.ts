import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { errorCode } from '../../../../../test/support/errors/catch-error.ts';
import { temporaryDataFolder } from '../../../../../test/support/localnet/stored-clusters.ts';
import { packFolder, unpackFolder } from './folder-archive.ts';

function filledFolder(): string {
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

test('a folder comes out as it went in, empty files and folders too', () => {
  const folder = filledFolder();
  const copy = join(temporaryDataFolder(), 'made', 'here');
  unpackFolder(packFolder(folder), copy);
  expect(contents(copy)).toEqual(contents(folder));
  expect(contents(copy)).toHaveLength(5);
});

test('what is cut short is refused', () => {
  const packed = packFolder(filledFolder());
  const cut = gzipSync(gunzipSync(packed).subarray(0, -1));
  expect(errorCode(() => unpackFolder(cut, temporaryDataFolder()))).toBe('MALFORMED_DATA');
});
