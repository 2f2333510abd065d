import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../../../test/support/processes/run-tidegate.ts';
import { decodeTarHeader, encodeTarHeader, paddingOf } from './tar-header.ts';

const hasTar = (() => {
  try {
    return execFileSync('tar', ['--version'], { encoding: 'utf8' }).includes('GNU');
  } catch {
    return false;
  }
})();

const longPath = `${'folder-of-forty-characters-1234567890ab/'.repeat(4)}name`;

test('a header is read as it was written', () => {
  const entries = [
    { path: 'a/b.json', kind: 'file', size: 1_234_567_890, modifiedAt: 1_790_000_000 },
    { path: longPath, kind: 'file', size: 0, modifiedAt: 0 },
    { path: 'a/b', kind: 'folder', size: 0, modifiedAt: 1 },
  ] as const;
  for (const entry of entries) expect(decodeTarHeader(encodeTarHeader(entry))).toEqual(entry);
});

test('an empty block is the end', () => {
  expect(decodeTarHeader(Buffer.alloc(512))).toBeUndefined();
});

test('a changed header, a link and a path that does not fit are rejected', () => {
  const header = encodeTarHeader({ path: 'a', kind: 'file', size: 1, modifiedAt: 0 });
  header[0] = 98;
  expect(() => decodeTarHeader(header)).toThrow('the checksum of a header is wrong');
  const link = encodeTarHeader({ path: 'a', kind: 'file', size: 0, modifiedAt: 0 });
  link.write('2', 156);
  link.write(`${sumOf(link).toString(8).padStart(6, '0')}\0 `, 148);
  expect(() => decodeTarHeader(link)).toThrow('it has an entry of type "2"');
  const path = 'x'.repeat(101);
  expect(() => encodeTarHeader({ path, kind: 'file', size: 0, modifiedAt: 0 })).toThrow(
    'is too long',
  );
});

/** The checksum field counts as eight spaces. */
function sumOf(block: Buffer): number {
  const copy = Buffer.from(block);
  copy.fill(0x20, 148, 156);
  return copy.reduce((sum, byte) => sum + byte, 0);
}

test.runIf(hasTar)('GNU tar lists the entries', () => {
  const folder = mkdtempSync(join(temporaryFolder(), 'tar-'));
  const content = Buffer.from('hello');
  const archive = Buffer.concat([
    encodeTarHeader({ path: 'd', kind: 'folder', size: 0, modifiedAt: 0 }),
    encodeTarHeader({ path: longPath, kind: 'file', size: content.length, modifiedAt: 0 }),
    content,
    Buffer.alloc(paddingOf(content.length)),
    Buffer.alloc(1024),
  ]);
  writeFileSync(join(folder, 'a.tar'), archive);
  const out = execFileSync('tar', ['-tf', join(folder, 'a.tar')], { encoding: 'utf8' });
  expect(out).toBe(`d/\n${longPath}\n`);
});
