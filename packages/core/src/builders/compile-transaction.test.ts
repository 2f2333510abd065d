import { expect, test } from 'vitest';
import { errorCode } from '../../../../test/support/errors/catch-error.ts';
import { numberedAddress } from '../../../../test/support/protocol/codecs.ts';
import { type Address, toAddress } from '../base/encoding/address.ts';
import { CodedError } from '../base/errors.ts';
import {
  type Instruction,
  READ,
  type Role,
  SIGN,
  SIGN_WRITE,
  WRITE,
} from '../base/solana/instruction.ts';
import { decodeWireTransaction } from '../protocol/spl/transaction/wire.ts';
import { compileTransaction, requireTransactionSize } from './compile-transaction.ts';

/** A key whose text starts with the letter. */
const key = (letter: string): Address => toAddress(letter.concat('1'.repeat(42)));

const WALLET = key('w');
const PROGRAM = key('P');
const BLOCKHASH = key('h');

type Named = readonly [letter: string, role: Role];

const call = (accounts: readonly Named[], data = Uint8Array.of(7)): Instruction => ({
  programAddress: PROGRAM,
  accounts: accounts.map(([letter, role]) => ({ address: key(letter), role })),
  data,
});

const compiled = (
  instructions: readonly Instruction[],
  tables: readonly (readonly [string, string])[] = [],
) => {
  const lookupTables = tables.map(([letter, letters]) => ({
    address: key(letter),
    addresses: [...letters].map(key),
  }));
  return compileTransaction({ wallet: WALLET, instructions, tables: lookupTables }, BLOCKHASH);
};

test('the payer comes first, then who signs, then what is written, each in the order of kit', () => {
  const accounts: readonly Named[] = [
    ['z', READ],
    ['B', WRITE],
    ['a', SIGN],
    ['C', SIGN_WRITE],
    ['b', WRITE],
    ['A', WRITE],
    ['Z', READ],
    ['c', SIGN_WRITE],
  ];
  const { message } = compiled([call(accounts)]);
  expect(message.staticKeys).toEqual(['w', 'c', 'C', 'a', 'A', 'b', 'B', 'P', 'z', 'Z'].map(key));
  expect(message.header).toEqual({
    numRequiredSignatures: 4,
    numReadonlySignedAccounts: 1,
    numReadonlyUnsignedAccounts: 3,
  });
  expect(message.instructions).toEqual([
    { programIndex: 7, accountIndexes: [8, 6, 3, 2, 5, 4, 9, 1], data: Uint8Array.of(7) },
  ]);
});

test('an account has the highest role that any instruction gives it, bit by bit', () => {
  const { message } = compiled([
    call([
      ['a', READ],
      ['b', SIGN],
      ['w', READ],
    ]),
    call([
      ['a', WRITE],
      ['b', WRITE],
      ['P', READ],
    ]),
  ]);
  expect(message.staticKeys).toEqual(['w', 'b', 'a', 'P'].map(key));
  expect(message.header).toEqual({
    numRequiredSignatures: 2,
    numReadonlySignedAccounts: 0,
    numReadonlyUnsignedAccounts: 1,
  });
});

test('a table gives what neither signs nor is called, the written first, in the order of kit', () => {
  const accounts: readonly Named[] = [
    ['c', READ],
    ['b', WRITE],
    ['a', WRITE],
    ['d', SIGN],
    ['e', READ],
    ['P', READ],
  ];
  const { message } = compiled([call(accounts)], [['T', 'wPdcabx']]);
  expect(message.staticKeys).toEqual(['w', 'd', 'e', 'P'].map(key));
  expect(message.lookups).toEqual([
    { table: key('T'), writableIndexes: [4, 5], readonlyIndexes: [3] },
  ]);
  expect(message.instructions[0]?.accountIndexes).toEqual([6, 5, 4, 1, 2, 3]);
});

test('of two tables the first gives an address, and the message lists them in the order of kit', () => {
  const accounts: readonly Named[] = [
    ['a', WRITE],
    ['b', WRITE],
    ['c', READ],
    ['d', READ],
  ];
  const { message } = compiled(
    [call(accounts)],
    [
      ['U', 'bd'],
      ['t', 'abcd'],
      ['V', 'abcd'],
    ],
  );
  expect(message.lookups).toEqual([
    { table: key('t'), writableIndexes: [0], readonlyIndexes: [2] },
    { table: key('U'), writableIndexes: [0], readonlyIndexes: [1] },
  ]);
  expect(message.instructions[0]?.accountIndexes).toEqual([2, 3, 4, 5]);
});

test('the wire is one empty signature and the message of version 0', () => {
  const { wire, bytes, message } = compiled([call([['a', WRITE]])], [['T', 'xa']]);
  expect(bytes).toBe(wire.length);
  expect(wire.length).toBe(1 + 64 + 4 + (1 + 2 * 32) + 32 + (1 + 1 + 2 + 2) + (1 + 32 + 2 + 1));
  expect([...wire.subarray(0, 69)]).toEqual([1, ...new Uint8Array(64), 0x80, 1, 0, 1]);
  expect(decodeWireTransaction(wire)).toEqual({ signatures: ['1'.repeat(64)], message });
});

test('no instructions make a message of the payer alone', () => {
  expect(compiled([]).message.staticKeys).toEqual([WALLET]);
});

test('what is called cannot be written to, nor pay', () => {
  expect(errorCode(() => compiled([call([['P', WRITE]])]))).toBe('MALFORMED_DATA');
  const paid = { wallet: PROGRAM, instructions: [call([])], tables: [] };
  expect(errorCode(() => compileTransaction(paid, BLOCKHASH))).toBe('MALFORMED_DATA');
});

test('a blockhash that is none is refused', () => {
  const build = { wallet: WALLET, instructions: [], tables: [] };
  expect(errorCode(() => compileTransaction(build, 'x'))).toBe('INVALID_ADDRESS');
});

test('1232 bytes fit, one more does not, and the refusal names the size', () => {
  const sized = (bytes: number) => compiled([call([], new Uint8Array(bytes))]);
  const around = sized(0).bytes + 1;
  const most = sized(1232 - around);
  expect(most.bytes).toBe(1232);
  expect(errorCode(() => requireTransactionSize(most))).toBeUndefined();
  const refused = () => requireTransactionSize(sized(1233 - around));
  expect(refused).toThrow(CodedError);
  expect(refused).toThrow('The transaction has 1233 bytes, 1232 fit.');
});

test('64 accounts fit, also those of tables, one more does not', () => {
  const addresses = Array.from({ length: 63 }, (_, i) => numberedAddress(i));
  const naming = (count: number): Instruction => ({
    programAddress: PROGRAM,
    accounts: addresses.slice(0, count).map((address) => ({ address, role: WRITE })),
    data: new Uint8Array(),
  });
  const tables = [{ address: key('T'), addresses }];
  const sized = (count: number) =>
    compileTransaction({ wallet: WALLET, instructions: [naming(count)], tables }, BLOCKHASH);
  expect(errorCode(() => requireTransactionSize(sized(62)))).toBeUndefined();
  expect(() => requireTransactionSize(sized(63))).toThrow(
    'The transaction has 65 accounts, 64 fit.',
  );
});
