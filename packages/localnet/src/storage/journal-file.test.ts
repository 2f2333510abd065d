import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { toSlot, toUnixSeconds } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { errorCode } from '../../../../test/support/errors/catch-error.ts';
import { temporaryDataFolder } from '../../../../test/support/localnet/stored-clusters.ts';
import { numberedAddress } from '../../../../test/support/protocol/codecs.ts';
import type { JournalEntry } from './cluster-snapshot.ts';
import { JournalFile } from './journal-file.ts';

const SNAPSHOT = new Uint8Array(16).fill(3);
const OTHER = new Uint8Array(16).fill(4);

/** One that fits its number in every part. */
function slotOf(number: number): JournalEntry {
  const slot = toSlot(BigInt(number));
  const packed = Uint8Array.of(number, number, 0, 255);
  const addresses = [numberedAddress(number), numberedAddress(1)];
  return {
    ...{ time: { slot, unix: toUnixSeconds(9n) }, ahead: BigInt(-number) },
    accounts: new Map([
      [numberedAddress(1), { owner: numberedAddress(2), lamports: 2n ** 64n - 1n, packed }],
      [numberedAddress(number), undefined],
    ]),
    transactions: [1, 2].map((each) => ({
      ...{ signature: `${number}/${each}`, slot, addresses, packed: packed.subarray(each) },
    })),
  };
}

function written(...numbers: readonly number[]) {
  const path = join(temporaryDataFolder(), 'journal');
  const journal = new JournalFile(path);
  journal.begin(SNAPSHOT);
  const ends = numbers.map((number) => {
    journal.append(slotOf(number));
    return statSync(path).size;
  });
  journal.close();
  return { path, ends, bytes: new Uint8Array(readFileSync(path)) };
}

const readBack = (path: string, bytes: Uint8Array) => {
  writeFileSync(path, bytes);
  return new JournalFile(path).read(SNAPSHOT);
};

/** Up to the last, without it. */
const numbersFrom = (first: number, last: number) =>
  Array.from({ length: last - first }, (_, i) => first + i);

test('slots come back in their order, as they were', () => {
  const { path } = written(5, 6, 7);
  const content = new JournalFile(path).read(SNAPSHOT);
  expect(content).toEqual({ slots: [slotOf(5), slotOf(6), slotOf(7)], torn: 0 });
});

test('a journal of another snapshot, or none, has nothing', () => {
  const { path } = written(5);
  expect(new JournalFile(path).read(OTHER)).toEqual({ slots: [], torn: 0 });
  expect(new JournalFile(`${path}.none`).read(SNAPSHOT)).toEqual({ slots: [], torn: 0 });
});

test('wherever the last entry is torn, all before it is there and nothing else', () => {
  const { path, ends, bytes } = written(5, 6, 7);
  const [, start = 0, end = 0] = ends;
  expect(end).toBe(bytes.length);
  const slots = [slotOf(5), slotOf(6)];
  const misread = numbersFrom(start, end).filter((length) => {
    const content = readBack(path, bytes.subarray(0, length));
    return !isDeepStrictEqual(content, { slots, torn: length - start });
  });
  expect(misread).toEqual([]);
});

test('a journal that is torn in its head is empty', () => {
  const { path, bytes } = written(5);
  for (let length = 0; length <= SNAPSHOT.length; length++) {
    expect(readBack(path, bytes.subarray(0, length))).toEqual({ slots: [], torn: 0 });
  }
});

test('whichever byte of the last entry is flipped, that entry alone is gone', () => {
  const { path, ends, bytes } = written(5, 6, 7);
  const [, start = 0] = ends;
  const slots = [slotOf(5), slotOf(6)];
  const misread = numbersFrom(start, bytes.length).filter((at) => {
    const content = readBack(path, bytes.with(at, (bytes[at] ?? 0) ^ (1 << (at % 8))));
    return !isDeepStrictEqual(content, { slots, torn: bytes.length - start });
  });
  expect(misread).toEqual([]);
});

test('nothing is read behind an entry that is damaged', () => {
  const { path, ends, bytes } = written(5, 6, 7);
  const [start = 0] = ends;
  const flipped = bytes.with(start + 20, (bytes[start + 20] ?? 0) ^ 1);
  expect(readBack(path, flipped)).toEqual({ slots: [slotOf(5)], torn: bytes.length - start });
});

test('zeros at the end, as a power cut leaves them, are no entries', () => {
  const { path, bytes } = written(5);
  for (const zeros of [1, 7, 8, 9, 4_096]) {
    const longer = new Uint8Array(bytes.length + zeros);
    longer.set(bytes);
    expect(readBack(path, longer)).toEqual({ slots: [slotOf(5)], torn: zeros });
  }
});

test('it is emptied when it begins anew, and knows its size', () => {
  const { path } = written(5, 6);
  const journal = new JournalFile(path);
  journal.begin(OTHER);
  expect(journal.size).toBe(16);
  journal.append(slotOf(7));
  expect(journal.size).toBe(statSync(path).size);
  expect(journal.read(OTHER)).toEqual({ slots: [slotOf(7)], torn: 0 });
  journal.remove();
  expect(journal.read(OTHER)).toEqual({ slots: [], torn: 0 });
  expect(errorCode(() => journal.append(slotOf(8)))).toBe('MALFORMED_DATA');
});
