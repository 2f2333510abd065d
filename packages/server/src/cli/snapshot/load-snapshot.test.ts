import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { temporaryFolder } from '../../../../../test/support/processes/run-tidegate.ts';
import { listSnapshotEntries } from './data-folder-entries.ts';
import { loadSnapshot } from './load-snapshot.ts';
import { commitRestore, completeInterruptedRestore, stagedFolder } from './restore-marker.ts';
import { lockStored } from './save-snapshot.ts';
import type { SnapshotManifest } from './snapshot-manifest.ts';
import { encodeTarHeader, paddingOf } from './tar-header.ts';
import { writeArchive } from './write-archive.ts';

const BASE = {
  format: 1,
  version: '0.0.0-test',
  savedAt: '2026-01-31T12:00:00.000Z',
  hasApiKeys: false,
  clusters: [],
} as const;

const FILES = {
  'history/mainnet-beta/database/PG_VERSION': '17\n',
  'history/mainnet-beta/database/base/5/1259': 'x'.repeat(70_000),
  'localnet/cluster.snapshot': 'cluster',
  'localnet/cluster.journal': '',
  'seasons.json': '[]',
};

function fill(dataDir: string, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dataDir, path)), { recursive: true });
    writeFileSync(join(dataDir, path), text);
  }
  return dataDir;
}

/** Contents by path; null for a folder. */
function contentOf(dataDir: string): Record<string, string | null> {
  const paths = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).toSorted();
  return Object.fromEntries(
    paths.map((path) => {
      const full = join(dataDir, path);
      return [path, statSync(full).isDirectory() ? null : readFileSync(full, 'utf8')];
    }),
  );
}

async function savedFile(
  files: Readonly<Record<string, string>> = FILES,
  change: (manifest: SnapshotManifest) => SnapshotManifest = (manifest) => manifest,
): Promise<string> {
  const dataDir = fill(temporaryFolder(), files);
  const hasApiKeys = 'keys.json' in files;
  const entries = await listSnapshotEntries(dataDir, hasApiKeys);
  const file = join(temporaryFolder(), 'snapshot.tar.gz');
  await writeArchive(
    file,
    dataDir,
    change({ ...BASE, clusters: [], hasApiKeys, entries: [...entries] }),
  );
  return file;
}

const load = (file: string, dataDir: string, isForced = false) =>
  loadSnapshot({ dataDir, databaseUrl: { value: undefined } }, { file, isForced });

const codeOf = async (promise: Promise<unknown>) => (await catchError(promise))?.code;

test('a loaded folder equals the saved one, with empty folders', async () => {
  const source = fill(temporaryFolder(), FILES);
  mkdirSync(join(source, 'history/mainnet-beta/database/pg_tblspc'));
  const entries = await listSnapshotEntries(source, false);
  const file = join(temporaryFolder(), 'snapshot.tar.gz');
  await writeArchive(file, source, { ...BASE, clusters: [], entries: [...entries] });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const target = temporaryFolder();
  await load(file, target);
  expect(contentOf(target)).toEqual(contentOf(source));
});

test('keys, locks, wallet keys and last good copies are not saved', async () => {
  const others = {
    'keys.json': '{"keys":[]}',
    'tokens.json': '[]',
    'localnet/cluster.lock': '1',
    'localnet/keys/wallet-0.json': '[1]',
    'history/mainnet-beta/history.lock': '1',
    'history/mainnet-beta/database/postmaster.pid': '-42',
  };
  const source = fill(temporaryFolder(), { ...FILES, ...others });
  const paths = (await listSnapshotEntries(source, false)).map(({ path }) => path);
  for (const path of Object.keys(others)) expect(paths).not.toContain(path);
  for (const path of Object.keys(FILES)) expect(paths).toContain(path);
  expect((await listSnapshotEntries(source, true)).map(({ path }) => path)).toContain('keys.json');
});

test('a folder with data is replaced only with --force, and keeps its API keys', async () => {
  const file = await savedFile();
  const old = { 'history/devnet/database/PG_VERSION': '16', 'keys.json': '{"keys":[]}' };
  const target = fill(temporaryFolder(), old);
  const error = await catchError(load(file, target));
  expect(error?.message).toContain('is not empty: it has history.');
  expect(Object.keys(contentOf(target))).toEqual(
    Object.keys(contentOf(fill(temporaryFolder(), old))),
  );
  await load(file, target, true);
  const expected = fill(temporaryFolder(), { ...FILES, 'keys.json': '{"keys":[]}' });
  expect(contentOf(target)).toEqual(contentOf(expected));
});

test('API keys of a snapshot replace those of the folder', async () => {
  const file = await savedFile({ ...FILES, 'keys.json': 'new' });
  const target = fill(temporaryFolder(), { 'keys.json': 'old' });
  expect(await codeOf(load(file, target))).toBe('DATA_FOLDER_NOT_EMPTY');
  await load(file, target, true);
  expect(readFileSync(join(target, 'keys.json'), 'utf8')).toBe('new');
});

test('a folder in use is refused', async () => {
  const file = await savedFile();
  const target = fill(temporaryFolder(), FILES);
  const release = lockStored(target);
  expect(await codeOf(load(file, target, true))).toBe('DATA_FOLDER_IN_USE');
  release();
  await load(file, target, true);
});

test('a damaged, truncated or foreign file is refused and changes nothing', async () => {
  const whole = readFileSync(await savedFile());
  const folder = temporaryFolder();
  const unpacked = gunzipSync(whole);
  const at = unpacked.indexOf('xxxx');
  unpacked[at + 100] = 121;
  const damaged = {
    'changed-byte': gzipSync(unpacked),
    'changed-compressed-byte': flipByte(whole, Math.floor(whole.length / 2)),
    truncated: whole.subarray(0, whole.length - 40),
    'truncated-tar': gzipSync(gunzipSync(whole).subarray(0, -2048)),
    'not-gzip': Buffer.from('hello'),
    empty: Buffer.alloc(0),
  };
  for (const [name, bytes] of Object.entries(damaged)) {
    const file = join(folder, name);
    writeFileSync(file, bytes);
    const target = fill(temporaryFolder(), { 'history/devnet/database/PG_VERSION': 'old' });
    expect([name, await codeOf(load(file, target, true))]).toEqual([name, 'INVALID_SNAPSHOT']);
    expect(Object.keys(contentOf(target))).toContain('history/devnet/database/PG_VERSION');
    expect(existsSync(stagedFolder(target))).toBe(false);
  }
  expect(await codeOf(load(join(folder, 'missing'), temporaryFolder()))).toBe('INVALID_SNAPSHOT');
});

const flipByte = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 0xff;
  return copy;
};

/** An archive with any manifest and any headers. */
function craft(entries: readonly { path: string; text: string }[], manifest: unknown): string {
  const parts = [{ path: 'manifest.json', text: JSON.stringify(manifest) }, ...entries];
  const blocks = parts.flatMap(({ path, text }) => [
    encodeTarHeader({ path, kind: 'file', size: text.length, modifiedAt: 0 }),
    Buffer.from(text),
    Buffer.alloc(paddingOf(text.length)),
  ]);
  const file = join(temporaryFolder(), 'crafted.tar.gz');
  writeFileSync(file, gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)])));
  return file;
}

const HELLO = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';

test('a path that leads out of the folder or to another file is refused', async () => {
  const outside = temporaryFolder();
  for (const path of [
    '../escaped',
    '/escaped',
    'history/../../escaped',
    'history/mainnet-beta/database/../../../../escaped',
    'history/mainnet-beta/database/./x',
    'history\\..\\escaped',
    'history/mainnet-beta/database//x',
    'history/othernet/database/x',
    'localnet/keys/wallet-0.json',
    'localnet/cluster.lock',
    'restore.json',
    'keys.json/x',
    '',
  ]) {
    const entries = [{ path, size: 5, sha256: HELLO }];
    const file = craft([{ path, text: 'hello' }], { ...BASE, entries });
    const target = join(outside, 'target');
    mkdirSync(target, { recursive: true });
    const error = await catchError(load(file, target));
    expect(error?.message).toContain(`the path ${JSON.stringify(path)} is not allowed`);
  }
  expect(contentOf(outside)).toEqual({ target: null });
});

test('an archive that differs from its manifest is refused', async () => {
  const entry = { path: 'seasons.json', size: 5, sha256: HELLO };
  const hello = { path: 'seasons.json', text: 'hello' };
  const crafted = {
    'another path': craft([{ path: '../escaped', text: 'hello' }], { ...BASE, entries: [entry] }),
    'one entry more': craft([hello, hello], { ...BASE, entries: [entry] }),
    'one entry less': craft([], { ...BASE, entries: [entry] }),
    'a repeated path': craft([hello, hello], { ...BASE, entries: [entry, entry] }),
    'another content': craft([{ path: 'seasons.json', text: 'hallo' }], {
      ...BASE,
      entries: [entry],
    }),
    'another size': craft([hello], { ...BASE, entries: [{ ...entry, size: 6 }] }),
    'another format': craft([hello], { ...BASE, format: 2, entries: [entry] }),
    'no manifest': craft([], 'hello'),
  };
  for (const [name, file] of Object.entries(crafted)) {
    const target = temporaryFolder();
    expect([name, await codeOf(load(file, target))]).toEqual([name, 'INVALID_SNAPSHOT']);
    expect(contentOf(target)).toEqual({});
  }
  const good = temporaryFolder();
  await load(craft([hello], { ...BASE, entries: [entry] }), good);
  expect(contentOf(good)).toEqual({ 'seasons.json': 'hello' });
});

test('a snapshot of a later release is refused before anything is written', async () => {
  const file = await savedFile(FILES, (manifest) => ({
    ...manifest,
    clusters: [
      { name: 'devnet', slot: null, blockTime: null, origin: {}, migrations: ['9999-later'] },
    ],
  }));
  const target = temporaryFolder();
  expect(await codeOf(load(file, target))).toBe('DATABASE_TOO_NEW');
  expect(contentOf(target)).toEqual({});
});

test('a crash before the commit leaves the old content, after it the new one', async () => {
  const old = { 'history/devnet/database/PG_VERSION': 'old', 'seasons.json': 'old' };
  const staged = { 'history/mainnet-beta/database/PG_VERSION': 'new' };
  const target = fill(temporaryFolder(), old);
  fill(stagedFolder(target), staged);
  await completeInterruptedRestore(target);
  expect(readFileSync(join(target, 'seasons.json'), 'utf8')).toBe('old');

  const marker = { restored: ['history'], removed: ['localnet', 'seasons.json'] };
  await commitRestore(target, marker);
  // every state in which the moves can be interrupted
  const afterMove = temporaryFolder();
  cpSync(target, afterMove, { recursive: true });
  for (const dataDir of [target, afterMove]) {
    if (dataDir === afterMove) {
      await completeInterruptedRestore(dataDir);
      mkdirSync(stagedFolder(dataDir));
      await commitRestore(dataDir, marker);
    }
    await completeInterruptedRestore(dataDir);
    expect(contentOf(dataDir)).toEqual(contentOf(fill(temporaryFolder(), staged)));
  }
});
