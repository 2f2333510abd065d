import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { toSlot, toUnixSeconds } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { catchError } from '../../../../test/support/errors/catch-error.ts';
import { temporaryDataFolder } from '../../../../test/support/localnet/stored-clusters.ts';
import { numberedAddress } from '../../../../test/support/protocol/codecs.ts';
import type { JournalEntry } from './cluster-snapshot.ts';
import { JournalFile } from './journal-file.ts';

const SNAPSHOT = new Uint8Array(16).fill(3);
const OTHER = new Uint8Array(16).fill(4);

/** An entry whose parts all depend on its number. */
function createEntry(number: number): JournalEntry {
  const slot = toSlot(BigInt(number));
  const packed = Uint8Array.of(number, number, 0, 255);
  const addresses = [numberedAddress(number), numberedAddress(1)];
  const time = { slot, unix: toUnixSeconds(9n) };
  return {
    time,
    ahead: BigInt(-number),
    accounts: new Map([
      [numberedAddress(1), { owner: numberedAddress(2), lamports: 2n ** 64n - 1n, packed }],
      [numberedAddress(number), undefined],
    ]),
    transactions: [1, 2].map((each) => ({
      signature: `${number}/${each}`,
      slot,
      addresses,
      packed: packed.subarray(each),
      summary: { signature: `${number}/${each}`, time, error: undefined, memo: undefined },
    })),
  };
}

function writeJournal(...numbers: readonly number[]) {
  const path = join(temporaryDataFolder(), 'journal');
  const journal = new JournalFile(path);
  journal.begin(SNAPSHOT);
  const ends = numbers.map((number) => {
    journal.append(createEntry(number));
    return statSync(path).size;
  });
  journal.close();
  return { path, ends, bytes: new Uint8Array(readFileSync(path)) };
}

const readBack = (path: string, bytes: Uint8Array) => {
  writeFileSync(path, bytes);
  return new JournalFile(path).read(SNAPSHOT);
};

/** `last` excluded. */
const numbersFrom = (first: number, last: number) =>
  Array.from({ length: last - first }, (_, i) => first + i);

test('entries are read back in order and unchanged', () => {
  const { path } = writeJournal(5, 6, 7);
  const content = new JournalFile(path).read(SNAPSHOT);
  expect(content).toEqual({ slots: [createEntry(5), createEntry(6), createEntry(7)], torn: 0 });
});

test('a missing journal, or one of another snapshot, is empty', () => {
  const { path } = writeJournal(5);
  expect(new JournalFile(path).read(OTHER)).toEqual({ slots: [], torn: 0 });
  expect(new JournalFile(`${path}.none`).read(SNAPSHOT)).toEqual({ slots: [], torn: 0 });
});

test('wherever the last entry is torn, exactly the entries before it are read', () => {
  const { path, ends, bytes } = writeJournal(5, 6, 7);
  const [, start = 0, end = 0] = ends;
  expect(end).toBe(bytes.length);
  const slots = [createEntry(5), createEntry(6)];
  const misread = numbersFrom(start, end).filter((length) => {
    const content = readBack(path, bytes.subarray(0, length));
    return !isDeepStrictEqual(content, { slots, torn: length - start });
  });
  expect(misread).toEqual([]);
});

test('a journal with a torn header is empty', () => {
  const { path, bytes } = writeJournal(5);
  for (let length = 0; length <= SNAPSHOT.length; length++) {
    expect(readBack(path, bytes.subarray(0, length))).toEqual({ slots: [], torn: 0 });
  }
});

test('whichever byte of the last entry is flipped, only that entry is lost', () => {
  const { path, ends, bytes } = writeJournal(5, 6, 7);
  const [, start = 0] = ends;
  const slots = [createEntry(5), createEntry(6)];
  const misread = numbersFrom(start, bytes.length).filter((at) => {
    const content = readBack(path, bytes.with(at, (bytes[at] ?? 0) ^ (1 << (at % 8))));
    return !isDeepStrictEqual(content, { slots, torn: bytes.length - start });
  });
  expect(misread).toEqual([]);
});

test('nothing after a damaged entry is read', () => {
  const { path, ends, bytes } = writeJournal(5, 6, 7);
  const [start = 0] = ends;
  const flipped = bytes.with(start + 20, (bytes[start + 20] ?? 0) ^ 1);
  expect(readBack(path, flipped)).toEqual({ slots: [createEntry(5)], torn: bytes.length - start });
});

test('trailing zeros, as after a power failure, are not entries', () => {
  const { path, bytes } = writeJournal(5);
  for (const zeros of [1, 7, 8, 9, 4_096]) {
    const longer = new Uint8Array(bytes.length + zeros);
    longer.set(bytes);
    expect(readBack(path, longer)).toEqual({ slots: [createEntry(5)], torn: zeros });
  }
});

test('beginning anew empties the journal, and its size is known', () => {
  const { path } = writeJournal(5, 6);
  const journal = new JournalFile(path);
  journal.begin(OTHER);
  expect(journal.size).toBe(16);
  journal.append(createEntry(7));
  expect(journal.size).toBe(statSync(path).size);
  expect(journal.read(OTHER)).toEqual({ slots: [createEntry(7)], torn: 0 });
  journal.remove();
  expect(journal.read(OTHER)).toEqual({ slots: [], torn: 0 });
  expect(catchError(() => journal.append(createEntry(8)))?.code).toBe('MALFORMED_DATA');
});
