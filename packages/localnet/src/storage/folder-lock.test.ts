import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { catchError } from '../../../../test/support/errors/catch-error.ts';
import { temporaryDataFolder } from '../../../../test/support/localnet/stored-clusters.ts';
import { CodedError } from '../errors/index.ts';
import { lockFolder } from './folder-lock.ts';

const NAME = 'some.lock';
const lockOf = (folder: string) => join(folder, NAME);
const hasStartTimes = existsSync('/proc/self/stat');

/** The PID of an ended process. */
const endedPid = () =>
  Number(execFileSync(process.execPath, ['-e', 'console.log(process.pid)'], { encoding: 'utf8' }));

test('a second lock fails with the PID of the holder', () => {
  const folder = join(temporaryDataFolder(), 'not', 'there', 'yet');
  const lock = lockFolder(folder, NAME);
  expect(() => lockFolder(folder, NAME)).toThrow(
    new CodedError('DATA_FOLDER_IN_USE', { folder, pid: process.pid }),
  );
  lock.release();
  expect(readdirSync(folder)).toEqual([]);
  lockFolder(folder, NAME).release();
});

test('a lock that was copied with its folder does not count', () => {
  const [folder, copy] = [temporaryDataFolder(), join(temporaryDataFolder(), 'copy')];
  const lock = lockFolder(folder, NAME);
  cpSync(folder, copy, { recursive: true });
  lockFolder(copy, NAME).release();
  expect([readdirSync(folder), readdirSync(copy)]).toEqual([[NAME], []]);
  lock.release();
});

test('a lock stays valid when its folder is moved or replaced by a copy', () => {
  const base = temporaryDataFolder();
  const [folder, moved] = [join(base, 'folder'), join(base, 'moved')];
  lockFolder(folder, NAME);
  renameSync(folder, moved);
  cpSync(moved, folder, { recursive: true });
  for (const each of [folder, moved]) {
    expect(catchError(() => lockFolder(each, NAME))?.code).toBe('DATA_FOLDER_IN_USE');
  }
});

test('the lock of an ended process is taken over', () => {
  const folder = temporaryDataFolder();
  writeFileSync(lockOf(folder), `${endedPid()}\n\n`);
  const lock = lockFolder(folder, NAME);
  expect(readFileSync(lockOf(folder), 'utf8')).toMatch(new RegExp(`^${process.pid}\n`));
  expect(catchError(() => lockFolder(folder, NAME))?.code).toBe('DATA_FOLDER_IN_USE');
  lock.release();
  expect(readdirSync(folder)).toEqual([]);
});

test('an empty or malformed lock file is taken over', () => {
  for (const text of ['', 'nobody', '-1\n', '0\n']) {
    const folder = temporaryDataFolder();
    writeFileSync(lockOf(folder), text);
    lockFolder(folder, NAME).release();
    expect(readdirSync(folder)).toEqual([]);
  }
});

test('a live process with an unknown start time keeps its lock', () => {
  const folder = temporaryDataFolder();
  writeFileSync(lockOf(folder), `${process.ppid}\n\n`);
  expect(catchError(() => lockFolder(folder, NAME))?.code).toBe('DATA_FOLDER_IN_USE');
});

test.runIf(hasStartTimes)('a reused PID does not count as the holder', () => {
  const folder = temporaryDataFolder();
  for (const pid of [process.pid, process.ppid]) {
    writeFileSync(lockOf(folder), `${pid}\n1 another-boot\n`);
    lockFolder(folder, NAME).release();
  }
  const lock = lockFolder(folder, NAME);
  const [, startTime] = readFileSync(lockOf(folder), 'utf8').split('\n');
  expect(startTime).toMatch(/^\d+ [0-9a-f-]{36}$/);
  lock.release();
});

test('a lock that another process has taken over is not released', () => {
  const folder = temporaryDataFolder();
  const lock = lockFolder(folder, NAME);
  writeFileSync(lockOf(folder), '1\n\n');
  lock.release();
  expect(readdirSync(folder)).toEqual([NAME]);
});
