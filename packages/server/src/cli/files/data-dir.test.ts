import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { requireDataDir, toDataDirError } from './data-dir.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'data-dir-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('a missing folder is created for writing, but not for reading', async () => {
  const folder = temporaryFolder();
  await requireDataDir({ dataDir: join(folder, 'read') }, 'read');
  expect(readdirSync(folder)).toEqual([]);
  const create = () => requireDataDir({ dataDir: join(folder, 'a', 'b') }, 'write');
  expect(await create()).toEqual({ isCreated: true });
  expect(existsSync(join(folder, 'a', 'b'))).toBe(true);
  expect(await create()).toEqual({ isCreated: false });
});

test.each(['read', 'write'] as const)(
  'DATA_DIR that is a file is rejected for %s',
  async (mode) => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    for (const dataDir of [file, join(file, 'inside')]) {
      const error = await catchError(requireDataDir({ dataDir }, mode));
      expect(error?.code).toBe('INVALID_SETTING');
      expect(error?.message).toMatch(
        /^DATA_DIR is ".*"\. It accepts a folder that this process can create, read and write \(E[A-Z]+: .*\)\.$/,
      );
    }
  },
);

// root may write everywhere
test.skipIf(process.getuid?.() === 0)('a read-only DATA_DIR is rejected', async () => {
  const dataDir = join(temporaryFolder(), 'read-only');
  mkdirSync(dataDir, { mode: 0o500 });
  const error = await catchError(requireDataDir({ dataDir }, 'write'));
  expect(error?.message).toContain('EACCES');
});

test('only file system errors inside DATA_DIR become setting errors', () => {
  const at = (path: string, code: string) =>
    Object.assign(new Error(`${code}: failed, mkdir '${path}'`), { code, path });
  const converted = toDataDirError(at('/data/localnet', 'EACCES'), { dataDir: '/data' });
  expect(converted).toMatchObject({
    code: 'INVALID_SETTING',
    message:
      'DATA_DIR is "/data". It accepts a folder that this process can create, read and write (EACCES: failed, mkdir \'/data/localnet\').',
  });
  for (const error of [
    at('/database/localnet', 'EACCES'),
    at('/data/localnet', 'EMFILE'),
    new Error('another failure'),
  ]) {
    expect(toDataDirError(error, { dataDir: '/data' })).toBe(error);
  }
});

test.each([
  [
    'ENOSPC',
    /^DATA_DIR is "\/data"\. It accepts a folder on a disk with free space: free some, or name another/,
  ],
  [
    'EROFS',
    /^DATA_DIR is "\/data"\. It accepts a folder on a disk that is not read-only: mount it for writing, or/,
  ],
] as const)('the message of %s says what to do', (code, message) => {
  const error = Object.assign(new Error('failed'), { code, path: '/data/history' });
  expect(toDataDirError(error, { dataDir: '/data' })).toMatchObject({
    code: 'INVALID_SETTING',
    message: expect.stringMatching(message),
  });
});

test('a full disk of the embedded database is one of DATA_DIR, and that of another database is not', () => {
  const full = () => Object.assign(new Error('could not extend file'), { code: '53100' });
  expect(toDataDirError(full(), { dataDir: '/data' })).toMatchObject({
    code: 'INVALID_SETTING',
    message: expect.stringMatching(/disk with free space: .*could not extend file/),
  });
  const error = full();
  expect(
    toDataDirError(error, { dataDir: '/data', databaseUrl: { value: 'postgres://db/x' } }),
  ).toBe(error);
});
