import { expect, test } from 'vitest';
import { perVersion, rarePerVersion } from './per-version.ts';

test('a value is computed once per object and version', () => {
  const computed: string[] = [];
  const find = perVersion(
    ({ version }: { readonly name: string; version: number }) => version,
    ({ name, version }) => {
      computed.push(`${name}${version}`);
      return computed.length;
    },
  );
  const a = { name: 'a', version: 1 };
  const b = { name: 'b', version: 1 };
  expect([find(a), find(a), find(b), find(a)]).toEqual([1, 1, 2, 1]);
  a.version = 2;
  expect([find(a), find(b)]).toEqual([3, 2]);
  expect(computed).toEqual(['a1', 'b1', 'a2']);
});

test('a slow value of an earlier version is reused for 50 times its computation time', () => {
  const time = { now: 0 };
  const previous: (number | undefined)[] = [];
  const find = rarePerVersion<number>(() => time.now);
  const source = {};
  const read = (version: number, subject = 'a') =>
    find({
      of: [subject, source],
      version,
      compute: (before) => {
        previous.push(before);
        time.now += 10;
        return version;
      },
    });
  expect([read(1), read(2)]).toEqual([1, 1]);
  time.now = 509;
  expect(read(3)).toBe(1);
  expect(read(3, 'b')).toBe(3);
  time.now = 510;
  expect(read(4)).toBe(4);
  time.now = 100_000;
  expect(read(4)).toBe(4);
  expect(previous).toEqual([undefined, undefined, 1]);
});

test('a missing slow value is computed again', () => {
  const find = rarePerVersion<number | undefined>(() => 0);
  const source = {};
  const read = (value: number | undefined) =>
    find({ of: ['a', source], version: 1, compute: () => value });
  expect([read(undefined), read(2), read(3)]).toEqual([undefined, 2, 2]);
});
