import { addressFromBytes, toSlot, toUnixSeconds } from '@tidegate/core/base';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../test/support/properties/assert-property.ts';
import { numberedAddress } from '../../../../test/support/protocol/codecs.ts';
import { decodeJournalEntry, encodeRecord } from './cluster-codec.ts';
import { packAccount, unpackAccount } from './packed-account.ts';

const address = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(addressFromBytes);
const account = fc.record({
  owner: address,
  lamports: fc.bigInt(0n, 2n ** 64n - 1n),
  data: fc.uint8Array({ maxLength: 300 }),
});
const accounts = fc.array(fc.tuple(address, fc.option(account, { nil: undefined })), {
  maxLength: 20,
});
const time = { slot: toSlot(1n), unix: toUnixSeconds(2n) };

test('property: accounts and deletions survive packing', () => {
  assertProperty(
    fc.property(accounts, (list) => {
      const expected = new Map(list);
      const packed = Array.from(
        expected,
        ([name, accountOrNone]) => [name, accountOrNone && packAccount(accountOrNone)] as const,
      );
      const bytes = encodeRecord({
        time,
        ahead: 0n,
        transactions: [],
        accounts: new Map(packed),
      });
      const found = Array.from(decodeJournalEntry(bytes).accounts, ([name, accountOrNone]) => [
        name,
        accountOrNone && unpackAccount(accountOrNone),
      ]);
      expect(found).toEqual([...expected]);
    }),
    100,
  );
});

test('packed and unpacked data retain no larger buffer, and zeros take almost no space', () => {
  const owner = numberedAddress(1);
  const small = packAccount({ owner, lamports: 1n, data: Uint8Array.of(1, 2, 3) });
  expect(small.packed.buffer.byteLength).toBe(small.packed.length);
  expect(unpackAccount(small).data.buffer.byteLength).toBe(3);
  const zeros = packAccount({ owner, lamports: 1n, data: new Uint8Array(100_000) });
  expect(zeros.packed.length).toBeLessThan(1_000);
});
