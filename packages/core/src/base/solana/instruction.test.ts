import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { toAddress } from '../encoding/address.ts';
import { bytesFromHex, bytesToHex, concatBytes } from '../encoding/bytes.ts';
import { array, u8, u16, u32, u64 } from '../encoding/layout.ts';
import {
  instruction,
  optionalRead,
  optionalWrite,
  READ,
  read,
  SIGN,
  SIGN_WRITE,
  sign,
  signWrite,
  untilEnd,
  WRITE,
  write,
} from './instruction.ts';

const PROGRAM = toAddress('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD');
const A = toAddress('So11111111111111111111111111111111111111112');
const B = toAddress('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const C = toAddress('7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF');
const D = toAddress('D6q6wuQSrifJKZYpR1M8R4YawnLDtDsMmWM1NbBmgJ59');

const deposit = instruction({
  name: 'deposit',
  discriminator: 'a1a2a3a4a5a6a7a8',
  accounts: {
    owner: signWrite,
    payer: sign,
    vault: write,
    mint: read,
    farm: optionalWrite,
    oracle: optionalRead,
  },
  args: { amount: u64, flag: u8 },
});

const extend = instruction({
  name: 'extend',
  discriminator: '02000000',
  accounts: { table: write },
  args: { kind: u8 },
  list: { count: u64, item: array(u16, 2) },
});

const refresh = instruction({
  name: 'refresh',
  discriminator: 'ff',
  accounts: {},
  args: {},
  list: { count: u32, item: u8 },
});

const accounts = { owner: A, payer: B, vault: C, mint: D, farm: undefined, oracle: undefined };
const args = { amount: 258n, flag: 7 };
const DATA = bytesFromHex('a1a2a3a4a5a6a7a8020100000000000007');

test('builds accounts in order with their roles, and data after the discriminator', () => {
  expect(deposit.build(PROGRAM, { accounts: { ...accounts, farm: A, oracle: B }, args })).toEqual({
    programAddress: PROGRAM,
    accounts: [
      { address: A, role: SIGN_WRITE },
      { address: B, role: SIGN },
      { address: C, role: WRITE },
      { address: D, role: READ },
      { address: A, role: WRITE },
      { address: B, role: READ },
    ],
    data: DATA,
  });
});

test('role bits are 1 for writable and 2 for signer', () => {
  expect([READ, WRITE, SIGN, SIGN_WRITE]).toEqual([0, 1, 2, 3]);
});

test('encodes an absent optional account as the read-only program id and decodes it as absent', () => {
  const { accounts: metas } = deposit.build(PROGRAM, { accounts, args });
  expect(metas.slice(4)).toEqual([
    { address: PROGRAM, role: READ },
    { address: PROGRAM, role: READ },
  ]);
  const found = deposit.decode(PROGRAM, {
    data: DATA,
    accounts: metas.map((meta) => meta.address),
  });
  expect(found.accounts).toEqual(accounts);
});

test('the program id as a required account is decoded as an address', () => {
  const found = deposit.decode(PROGRAM, { data: DATA, accounts: [A, B, C, PROGRAM, A, B] });
  expect(found.accounts.mint).toBe(PROGRAM);
});

test('build throws with the name of a missing account', () => {
  const broken: { [Name in keyof typeof accounts]: typeof A } = JSON.parse(
    JSON.stringify({ ...accounts, mint: undefined }),
  );
  expect(catchError(() => deposit.build(PROGRAM, { accounts: broken, args }))?.code).toBe(
    'MALFORMED_DATA',
  );
  expect(() => deposit.build(PROGRAM, { accounts: broken, args })).toThrow('mint is missing');
});

test('build throws for an argument out of range', () => {
  const wrong = { amount: 2n ** 64n, flag: 7 };
  expect(catchError(() => deposit.build(PROGRAM, { accounts, args: wrong }))?.code).toBe(
    'MALFORMED_DATA',
  );
});

test('remaining accounts keep their order and role', () => {
  const remaining = [
    { address: D, role: WRITE },
    { address: C, role: READ },
  ] as const;
  const built = deposit.build(PROGRAM, { accounts, args, remaining });
  expect(built.accounts.slice(6)).toEqual(remaining);
  const addresses = built.accounts.map(({ address }) => address);
  expect(deposit.decode(PROGRAM, { data: built.data, accounts: addresses })).toEqual({
    name: 'deposit',
    accounts,
    args,
    list: undefined,
    remaining: [D, C],
  });
});

test('encodes a list as count and items', () => {
  const built = extend.build(PROGRAM, {
    accounts: { table: A },
    args: { kind: 5 },
    list: [
      [1, 2],
      [3, 4],
    ],
  });
  expect(bytesToHex(built.data)).toBe('02000000050200000000000000' + '0100020003000400');
  const short = refresh.build(PROGRAM, { accounts: {}, args: {}, list: [8, 9] });
  expect(bytesToHex(short.data)).toBe('ff020000000809');
  const found = extend.decode(PROGRAM, { data: built.data, accounts: [A] });
  expect([found.args, found.list]).toEqual([
    { kind: 5 },
    [
      [1, 2],
      [3, 4],
    ],
  ]);
});

test('encodes an empty list as a count of zero', () => {
  const built = refresh.build(PROGRAM, { accounts: {}, args: {}, list: [] });
  expect(bytesToHex(built.data)).toBe('ff00000000');
  expect(refresh.decode(PROGRAM, { data: built.data, accounts: [] }).list).toEqual([]);
});

test('decode throws on truncated data and missing accounts', () => {
  const list = extend.build(PROGRAM, {
    accounts: { table: A },
    args: { kind: 5 },
    list: [[1, 2]],
  }).data;
  for (let length = 0; length < DATA.length; length++) {
    const cut = { data: DATA.subarray(0, length), accounts: [A, B, C, D, A, B] };
    expect(catchError(() => deposit.decode(PROGRAM, cut))?.code).toBe('MALFORMED_DATA');
  }
  for (let length = 0; length < list.length; length++) {
    const cut = { data: list.subarray(0, length), accounts: [A] };
    expect(catchError(() => extend.decode(PROGRAM, cut))?.code).toBe('MALFORMED_DATA');
  }
  for (const found of [[], [A, B, C, D, A]]) {
    expect(catchError(() => deposit.decode(PROGRAM, { data: DATA, accounts: found }))?.code).toBe(
      'MALFORMED_DATA',
    );
  }
});

test('decode throws on a huge count without allocating', () => {
  for (const count of ['ffffffffffffffff', 'ffffffffffffff7f', '0000000000010000']) {
    const data = bytesFromHex(`0200000005${count}01000200`);
    expect(catchError(() => extend.decode(PROGRAM, { data, accounts: [A] }))?.code).toBe(
      'MALFORMED_DATA',
    );
  }
});

test('decode throws on another discriminator', () => {
  for (let i = 0; i < 8; i++) {
    const data = DATA.map((byte, at) => (at === i ? byte ^ 128 : byte));
    const found = { data, accounts: [A, B, C, D, A, B] };
    expect(catchError(() => deposit.decode(PROGRAM, found))?.code).toBe('MALFORMED_DATA');
  }
});

test('ignores trailing bytes, as the programs do', () => {
  const tail = Uint8Array.of(1, 2, 3);
  const longer = { data: concatBytes([DATA, tail]), accounts: [A, B, C, D, A, B] };
  expect(deposit.decode(PROGRAM, longer).args).toEqual(args);
  const list = concatBytes([bytesFromHex('ff0100000009'), tail]);
  expect(refresh.decode(PROGRAM, { data: list, accounts: [] }).list).toEqual([9]);
});

test('reads data inside a larger buffer at its offset', () => {
  const around = concatBytes([new Uint8Array(5).fill(9), DATA, new Uint8Array(5).fill(9)]);
  const found = { data: around.subarray(5, 5 + DATA.length), accounts: [A, B, C, D, A, B] };
  expect(deposit.decode(PROGRAM, found).args).toEqual(args);
});

test('property: decode returns the arguments and items of build', () => {
  const pairs = fc.array(fc.tuple(fc.nat(65_535), fc.nat(65_535)), { maxLength: 20 });
  assertProperty(
    fc.property(fc.nat(255), pairs, (kind, list) => {
      const { data } = extend.build(PROGRAM, { accounts: { table: A }, args: { kind }, list });
      const found = extend.decode(PROGRAM, { data, accounts: [A, B] });
      expect(found).toEqual({
        name: 'extend',
        accounts: { table: A },
        args: { kind },
        list,
        remaining: [B],
      });
    }),
    100,
  );
});

test('property: random data decodes or throws MALFORMED_DATA', () => {
  const start = fc.constantFrom(...[deposit, extend, refresh].map((each) => each.discriminator));
  assertProperty(
    fc.property(start, fc.uint8Array({ maxLength: 40 }), (discriminator, rest) => {
      const found = { data: concatBytes([discriminator, rest]), accounts: [A, B, C, D, A, B] };
      for (const codec of [deposit, extend, refresh]) {
        expect([undefined, 'MALFORMED_DATA']).toContain(
          catchError(() => codec.decode(PROGRAM, found))?.code,
        );
      }
    }),
    100,
  );
});

test('a list until the end has no count and takes whole items', () => {
  const rename = instruction({
    name: 'rename',
    discriminator: 'fe',
    accounts: {},
    args: { kind: u8 },
    list: { count: untilEnd, item: u16 },
  });
  const built = rename.build(PROGRAM, { accounts: {}, args: { kind: 3 }, list: [258, 4] });
  expect(built.data).toEqual(bytesFromHex('fe0302010400'));
  const decoded = (hex: string) =>
    rename.decode(PROGRAM, { data: bytesFromHex(hex), accounts: [] }).list;
  expect(decoded('fe0302010400')).toEqual([258, 4]);
  expect(decoded('fe03020104')).toEqual([258]);
  expect(decoded('fe03')).toEqual([]);
});
