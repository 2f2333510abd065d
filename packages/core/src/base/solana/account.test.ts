import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { fieldDifferences } from '../../../../../test/support/protocol/field-differences.ts';
import { addressFromBytes, toAddress, ZERO_ADDRESS } from '../encoding/address.ts';
import { bytesFromHex } from '../encoding/bytes.ts';
import { array, bytes, pubkey, struct, u8, u64, u128 } from '../encoding/layout.ts';
import { account, type RawAccount } from './account.ts';

const OWNER = toAddress('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD');
const STAGING = toAddress('SLendK7ySfcEzyaFqy93gDnD3RtrpXJcnRwb6zFHJSh');
const OTHER = toAddress('KvauGMspG5k6rtzrqqn7WNn3oZdyKqLKwK2XWQ8FLjd');

const box = account({
  name: 'test.Box',
  owners: [OWNER, STAGING],
  discriminator: '0102030405060708',
  versions: [1n, 2n],
  fields: { flag: u8, version: u64, holder: pubkey },
});

const plain = account({
  name: 'test.Plain',
  owners: [OWNER],
  discriminator: 'ffffffffffffffff',
  fields: { version: u64 },
});

const HEADER = bytesFromHex('0102030405060708');

/** Header, flag 9, version 1, holder of zeros. */
function boxBytes(): Uint8Array {
  const data = new Uint8Array(49);
  data.set(HEADER);
  data[8] = 9;
  data[9] = 1;
  return data;
}

const boxAccount = (data: Uint8Array): RawAccount => ({ owner: OWNER, data });

test('size and offsets include the discriminator', () => {
  expect(box.size).toBe(49);
  expect(box.offsets).toEqual({ flag: 8, version: 9, holder: 17 });
  expect(box.discriminator).toEqual(HEADER);
});

test('decodes and views an account of any of its owners', () => {
  const value = { flag: 9, version: 1n, holder: ZERO_ADDRESS };
  for (const owner of [OWNER, STAGING]) {
    const raw = { owner, data: boxBytes() };
    expect(box.matches(raw)).toBe(true);
    expect(box.decode(raw)).toEqual(value);
    expect(fieldDifferences(box.body, [value, box.view(raw)])).toEqual([]);
  }
  expect(box.encode(value)).toEqual(boxBytes());
});

test('reads bytes inside a larger buffer at their offset', () => {
  const around = new Uint8Array(80).fill(0xee);
  around.set(boxBytes(), 11);
  const raw = boxAccount(around.subarray(11, 60));
  expect(box.matches(raw)).toBe(true);
  expect(box.encode(box.decode(raw))).toEqual(boxBytes());
});

test('reads the known fields of an account that a program upgrade enlarged', () => {
  const value = { flag: 9, version: 1n, holder: ZERO_ADDRESS };
  const long = boxAccount(Uint8Array.from([...boxBytes(), 7, 7, 7]));
  expect(box.matches(long)).toBe(true);
  expect(box.decode(long)).toEqual(value);
  expect(fieldDifferences(box.body, [value, box.view(long)])).toEqual([]);
  const changed = box.encodeChange(long.data, { before: value, after: { ...value, flag: 8 } });
  expect([...changed]).toEqual([...boxBytes().with(8, 8), 7, 7, 7]);
});

test('the version is read without decoding, if the type has versions', () => {
  expect(box.versionOf(boxBytes().with(9, 77))).toBe(77n);
  expect(box.versionOf(boxBytes().subarray(0, 48))).toBeUndefined();
  expect(plain.versionOf(new Uint8Array(16))).toBeUndefined();
});

test('decode and view throw a distinct code for each mismatch', () => {
  const wrongByte = (at: number) => boxBytes().map((byte, i) => (i === at ? byte ^ 1 : byte));
  const versioned = (version: number) => boxBytes().map((byte, i) => (i === 9 ? version : byte));
  const cases: [string, RawAccount][] = [
    ['ACCOUNT_WRONG_OWNER', { owner: OTHER, data: boxBytes() }],
    ['ACCOUNT_WRONG_OWNER', { owner: ZERO_ADDRESS, data: new Uint8Array(0) }],
    ['ACCOUNT_WRONG_SIZE', boxAccount(new Uint8Array(0))],
    ['ACCOUNT_WRONG_SIZE', boxAccount(HEADER)],
    ['ACCOUNT_WRONG_SIZE', boxAccount(boxBytes().subarray(0, 48))],
    ['ACCOUNT_WRONG_DISCRIMINATOR', boxAccount(new Uint8Array(49))],
    ['ACCOUNT_WRONG_DISCRIMINATOR', boxAccount(wrongByte(0))],
    ['ACCOUNT_WRONG_DISCRIMINATOR', boxAccount(wrongByte(7))],
    ['ACCOUNT_UNKNOWN_VERSION', boxAccount(versioned(0))],
    ['ACCOUNT_UNKNOWN_VERSION', boxAccount(versioned(3))],
    ['ACCOUNT_UNKNOWN_VERSION', boxAccount(wrongByte(16))],
  ];
  for (const [code, raw] of cases) {
    expect(catchError(() => box.decode(raw))?.code).toBe(code);
    expect(catchError(() => box.view(raw))?.code).toBe(code);
    expect(box.matches(raw)).toBe(code === 'ACCOUNT_UNKNOWN_VERSION');
  }
});

test('accepts every listed version, or any version without a list', () => {
  const second = boxBytes().map((byte, i) => (i === 9 ? 2 : byte));
  expect(box.decode(boxAccount(second)).version).toBe(2n);
  const any = { owner: OWNER, data: new Uint8Array(16).fill(255) };
  expect(plain.decode(any)).toEqual({ version: 2n ** 64n - 1n });
});

test('the error context contains the account type and the mismatch', () => {
  expect(catchError(() => box.decode({ owner: OTHER, data: boxBytes() }))?.context).toEqual({
    account: 'test.Box',
    owner: OTHER,
  });
  expect(catchError(() => box.decode(boxAccount(HEADER)))?.context).toEqual({
    account: 'test.Box',
    size: 8,
    accepts: 'at least 49',
  });
  const third = boxBytes().map((byte, i) => (i === 9 ? 3 : byte));
  expect(catchError(() => box.view(boxAccount(third)))?.context).toEqual({
    account: 'test.Box',
    version: 3n,
  });
});

test('property: round-trips any value', () => {
  const values = fc.record({
    flag: fc.nat(255),
    version: fc.constantFrom(1n, 2n),
    holder: fc.constantFrom(OWNER, OTHER, ZERO_ADDRESS),
  });
  assertProperty(
    fc.property(values, (value) => {
      expect(box.decode(boxAccount(box.encode(value)))).toEqual(value);
    }),
    100,
  );
});

describe('encodeChange gives the same bytes as encode', () => {
  const pair = struct({ small: u8, large: u64, name: bytes(3) });
  const kind = account({
    name: 'test.Patched',
    owners: [ZERO_ADDRESS],
    discriminator: '0102030405060708',
    fields: { count: u8, key: pubkey, pairs: array(pair, 3), one: pair, wide: u128 },
  });
  const pairs = fc.record({
    small: fc.integer({ min: 0, max: 255 }),
    large: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    name: fc.uint8Array({ minLength: 3, maxLength: 3 }),
  });
  const values = fc.record({
    count: fc.integer({ min: 0, max: 255 }),
    key: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((key) => addressFromBytes(key)),
    pairs: fc.array(pairs, { minLength: 3, maxLength: 3 }),
    one: pairs,
    wide: fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }),
  });
  const changedNames = fc.subarray(['count', 'key', 'pairs', 'one', 'wide'] as const);
  const chosen = fc.record({ changedNames, i: fc.nat(2) });

  test('property: encodeChange handles any changed fields, nested ones included', () => {
    assertProperty(
      fc.property(values, values, chosen, (before, other, { changedNames, i }) => {
        const some = Object.fromEntries(changedNames.map((name) => [name, other[name]]));
        const single = before.pairs.with(i, { ...(before.pairs[i] ?? before.one), large: 7n });
        for (const after of [
          { ...before, ...some },
          { ...before, pairs: single },
          { ...before, one: { ...before.one, name: other.one.name } },
          before,
        ]) {
          const patched = kind.encodeChange(kind.encode(before), { before, after });
          expect(patched).toEqual(kind.encode(after));
        }
      }),
      100,
    );
  });

  test('encodeChange does not modify the old bytes and rejects a list of another length', () => {
    const before = { ...decodedZero(), count: 1 };
    const data = kind.encode(before);
    const original = data.slice();
    kind.encodeChange(data, { before, after: { ...before, count: 2 } });
    expect(data).toEqual(original);
    const short = { ...before, pairs: before.pairs.slice(1) };
    expect(catchError(() => kind.encodeChange(data, { before, after: short }))?.code).toBe(
      'MALFORMED_DATA',
    );
  });

  function decodedZero() {
    const data = new Uint8Array(kind.size);
    data.set(kind.discriminator);
    return kind.decode({ owner: ZERO_ADDRESS, data });
  }
});
