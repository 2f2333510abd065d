import { expect, test } from 'vitest';
import { catchError } from '../../../../test/support/errors/catch-error.ts';
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

/** A key whose text starts with `letter`. */
const key = (letter: string): Address => toAddress(letter.concat('1'.repeat(42)));

const WALLET = key('w');
const PROGRAM = key('P');
const BLOCKHASH = key('h');

type NamedAccount = readonly [letter: string, role: Role];

const call = (accounts: readonly NamedAccount[], data = Uint8Array.of(7)): Instruction => ({
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
  return compileTransaction({ wallet: WALLET, instructions, lookupTables }, BLOCKHASH);
};

test('accounts are ordered payer, signers, writable, read-only, each in the order of kit', () => {
  const accounts: readonly NamedAccount[] = [
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

test('an account has the union of the roles that the instructions give it', () => {
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

test('a table supplies accounts that neither sign nor are called, writable first', () => {
  const accounts: readonly NamedAccount[] = [
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

test('the first of two tables supplies an address; the message sorts tables like kit', () => {
  const accounts: readonly NamedAccount[] = [
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

test('a table of a stranger cannot change the accounts of an instruction', () => {
  const accounts: readonly NamedAccount[] = [
    ['c', READ],
    ['b', WRITE],
    ['a', WRITE],
    ['d', SIGN],
  ];
  // the wallet, the program, signers, repeated and foreign addresses
  const content = [...'xwPdbybazxca'].map(key);
  const instructions = [call(accounts)];
  const lookupTables = [{ address: key('T'), addresses: content }];
  const { message } = compileTransaction({ wallet: WALLET, instructions, lookupTables }, BLOCKHASH);
  const loaded = (indexes: readonly number[]) => indexes.map((index) => content[index]);
  const { writableIndexes = [], readonlyIndexes = [] } = message.lookups[0] ?? {};
  const keys = [...message.staticKeys, ...loaded(writableIndexes), ...loaded(readonlyIndexes)];
  const [compiledCall] = message.instructions;
  expect(compiledCall?.accountIndexes.map((index) => keys[index])).toEqual([...'cbad'].map(key));
  expect(keys[compiledCall?.programIndex ?? 0]).toBe(PROGRAM);
  expect(loaded(writableIndexes)).toEqual([...'ab'].map(key));
  expect(loaded(readonlyIndexes)).toEqual([key('c')]);
});

test('the wire format is one empty signature and a version 0 message', () => {
  const { wire, bytes, message } = compiled([call([['a', WRITE]])], [['T', 'xa']]);
  expect(bytes).toBe(wire.length);
  expect(wire.length).toBe(1 + 64 + 4 + (1 + 2 * 32) + 32 + (1 + 1 + 2 + 2) + (1 + 32 + 2 + 1));
  expect([...wire.subarray(0, 69)]).toEqual([1, ...new Uint8Array(64), 0x80, 1, 0, 1]);
  expect(decodeWireTransaction(wire)).toEqual({ signatures: ['1'.repeat(64)], message });
});

test('without instructions the message contains only the payer', () => {
  expect(compiled([]).message.staticKeys).toEqual([WALLET]);
});

test('a called program can neither be writable nor pay the fee', () => {
  expect(catchError(() => compiled([call([['P', WRITE]])]))?.code).toBe('MALFORMED_DATA');
  const paid = { wallet: PROGRAM, instructions: [call([])], lookupTables: [] };
  expect(catchError(() => compileTransaction(paid, BLOCKHASH))?.code).toBe('MALFORMED_DATA');
});

test('an invalid blockhash throws', () => {
  const build = { wallet: WALLET, instructions: [], lookupTables: [] };
  expect(catchError(() => compileTransaction(build, 'x'))?.code).toBe('INVALID_ADDRESS');
});

test('1232 bytes fit; one more throws with the size', () => {
  const sized = (bytes: number) => compiled([call([], new Uint8Array(bytes))]);
  const around = sized(0).bytes + 1;
  const largest = sized(1232 - around);
  expect(largest.bytes).toBe(1232);
  expect(catchError(() => requireTransactionSize(largest))?.code).toBeUndefined();
  const oversized = () => requireTransactionSize(sized(1233 - around));
  expect(oversized).toThrow(CodedError);
  expect(oversized).toThrow('The transaction has 1233 bytes, but the limit is 1232.');
});

test('64 accounts fit, lookup table accounts included; one more throws', () => {
  const addresses = Array.from({ length: 63 }, (_, i) => numberedAddress(i));
  const callWith = (count: number): Instruction => ({
    programAddress: PROGRAM,
    accounts: addresses.slice(0, count).map((address) => ({ address, role: WRITE })),
    data: new Uint8Array(),
  });
  const lookupTables = [{ address: key('T'), addresses }];
  const sized = (count: number) =>
    compileTransaction(
      { wallet: WALLET, instructions: [callWith(count)], lookupTables },
      BLOCKHASH,
    );
  expect(catchError(() => requireTransactionSize(sized(62)))?.code).toBeUndefined();
  expect(() => requireTransactionSize(sized(63))).toThrow(
    'The transaction has 65 accounts, but the limit is 64.',
  );
});
