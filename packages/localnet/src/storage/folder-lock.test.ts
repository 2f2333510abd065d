import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CodedError } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { errorCode } from '../../../../test/support/errors/catch-error.ts';
import { temporaryDataFolder } from '../../../../test/support/localnet/stored-clusters.ts';
import { lockFolder } from './folder-lock.ts';

const NAME = 'some.lock';
const lockOf = (folder: string) => join(folder, NAME);
const hasBirths = existsSync('/proc/self/stat');

/** The number of a process that has ended. */
const endedPid = () =>
  Number(execFileSync(process.execPath, ['-e', 'console.log(process.pid)'], { encoding: 'utf8' }));

test('whoever comes second is told who has the folder', () => {
  const folder = join(temporaryDataFolder(), 'not', 'there', 'yet');
  const lock = lockFolder(folder, NAME);
  expect(() => lockFolder(folder, NAME)).toThrow(
    new CodedError('DATA_FOLDER_IN_USE', { folder, pid: process.pid }),
  );
  lock.release();
  expect(readdirSync(folder)).toEqual([]);
  lockFolder(folder, NAME).release();
});

test('a lock of a process that has ended is taken over', () => {
  const folder = temporaryDataFolder();
  writeFileSync(lockOf(folder), `${endedPid()}\n\n`);
  const lock = lockFolder(folder, NAME);
  expect(readFileSync(lockOf(folder), 'utf8')).toMatch(new RegExp(`^${process.pid}\n`));
  expect(errorCode(() => lockFolder(folder, NAME))).toBe('DATA_FOLDER_IN_USE');
  lock.release();
  expect(readdirSync(folder)).toEqual([]);
});

test('a lock that was never finished, or that says nothing, is taken over', () => {
  for (const text of ['', 'nobody', '-1\n', '0\n']) {
    const folder = temporaryDataFolder();
    writeFileSync(lockOf(folder), text);
    lockFolder(folder, NAME).release();
    expect(readdirSync(folder)).toEqual([]);
  }
});

test('a living process whose birth is not known keeps its lock', () => {
  const folder = temporaryDataFolder();
  writeFileSync(lockOf(folder), `${process.ppid}\n\n`);
  expect(errorCode(() => lockFolder(folder, NAME))).toBe('DATA_FOLDER_IN_USE');
});

test.runIf(hasBirths)('a number that another process had before is not that process', () => {
  const folder = temporaryDataFolder();
  for (const pid of [process.pid, process.ppid]) {
    writeFileSync(lockOf(folder), `${pid}\n1 another-boot\n`);
    lockFolder(folder, NAME).release();
  }
  const lock = lockFolder(folder, NAME);
  const [, birth] = readFileSync(lockOf(folder), 'utf8').split('\n');
  expect(birth).toMatch(/^\d+ [0-9a-f-]{36}$/);
  lock.release();
});

test('what somebody else has taken meanwhile is not released', () => {
  const folder = temporaryDataFolder();
  const lock = lockFolder(folder, NAME);
  writeFileSync(lockOf(folder), '1\n\n');
  lock.release();
  expect(readdirSync(folder)).toEqual([NAME]);
});
