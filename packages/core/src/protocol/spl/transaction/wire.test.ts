import { expect, test } from 'vitest';
import { catchError } from '../../../../../../test/support/errors/catch-error.ts';
import { numberedAddress } from '../../../../../../test/support/protocol/codecs.ts';
import { addressToBytes } from '../../../base/encoding/address.ts';
import { accountsOfMessage } from './message.ts';
import {
  decodeWireMessage,
  decodeWireTransaction,
  EMPTY_SIGNATURE,
  encodeWireMessage,
  encodeWireTransaction,
} from './wire.ts';

const keys = (...numbers: number[]) =>
  numbers.flatMap((number) => [...addressToBytes(numberedAddress(number))]);

/** Two signers, one of them read-only; one writable account, one read-only; one instruction. */
const legacy = (header = [2, 1, 1], instruction = [3, 2, 0, 2, 3, 7, 8, 9]): Uint8Array =>
  Uint8Array.from([...header, 4, ...keys(1, 2, 3, 4), ...keys(99), 1, ...instruction]);

/** One signer and a program; two accounts of a table, one of them writable. */
const versioned = (lookups = [1, ...keys(50), 1, 9, 1, 4], accounts = [2, 2, 3]): Uint8Array =>
  Uint8Array.from([0x80, 1, 0, 1, 2, ...keys(1, 2), ...keys(99), 1, 1, ...accounts, 0, ...lookups]);

test('decodes the keys, instructions and roles of a legacy message', () => {
  const message = decodeWireMessage(legacy());
  expect(message).toEqual({
    version: 'legacy',
    header: {
      numRequiredSignatures: 2,
      numReadonlySignedAccounts: 1,
      numReadonlyUnsignedAccounts: 1,
    },
    staticKeys: [1, 2, 3, 4].map(numberedAddress),
    recentBlockhash: numberedAddress(99),
    instructions: [{ programIndex: 3, accountIndexes: [0, 2], data: Uint8Array.of(7, 8, 9) }],
    lookups: [],
  });
  expect(accountsOfMessage(message, { writable: [], readonly: [] })).toEqual([
    { address: numberedAddress(1), isSigner: true, isWritable: true },
    { address: numberedAddress(2), isSigner: true, isWritable: false },
    { address: numberedAddress(3), isSigner: false, isWritable: true },
    { address: numberedAddress(4), isSigner: false, isWritable: false },
  ]);
});

test('a message of version 0 loads accounts from lookup tables, writable accounts first', () => {
  const message = decodeWireMessage(versioned());
  expect(message.version).toBe(0);
  expect(message.lookups).toEqual([
    { table: numberedAddress(50), writableIndexes: [9], readonlyIndexes: [4] },
  ]);
  const loaded = { writable: [numberedAddress(60)], readonly: [numberedAddress(61)] };
  expect(accountsOfMessage(message, loaded).slice(2)).toEqual([
    { address: numberedAddress(60), isSigner: false, isWritable: true },
    { address: numberedAddress(61), isSigner: false, isWritable: false },
  ]);
  expect(catchError(() => accountsOfMessage(message, { writable: [], readonly: [] }))?.code).toBe(
    'MALFORMED_DATA',
  );
});

test('an unsigned transaction has zero signatures', () => {
  const wire = Uint8Array.from([2, ...new Uint8Array(128), ...legacy()]);
  expect(decodeWireTransaction(wire).signatures).toEqual(['1'.repeat(64), '1'.repeat(64)]);
});

test.each([
  ['fewer signatures than its message requires', [1, ...new Uint8Array(64), ...legacy()]],
  ['more signatures than bytes', [255, 255, 3, ...legacy()]],
  ['nothing', []],
])('a transaction with %s throws', (_, wire) => {
  expect(catchError(() => decodeWireTransaction(Uint8Array.from(wire)))?.code).toBe(
    'MALFORMED_DATA',
  );
});

test.each([
  ['no signer', legacy([0, 0, 1])],
  ['only read-only signers', legacy([2, 2, 1])],
  ['more roles than keys', legacy([2, 1, 3])],
  ['the fee payer as program', legacy([2, 1, 1], [0, 0, 0])],
  ['an invalid program index', legacy([2, 1, 1], [4, 0, 0])],
  ['an invalid account index', legacy([2, 1, 1], [3, 1, 4, 0])],
  ['data beyond its end', legacy([2, 1, 1], [3, 0, 5, 1])],
  ['trailing bytes', Uint8Array.from([...legacy(), 0])],
  ['version 1', versioned().with(0, 0x81)],
  ['a program from a table', versioned().with(102, 2)],
  ['an account index beyond its lookup tables', versioned(undefined, [1, 4])],
  ['a lookup table without indexes', versioned([1, ...keys(50), 0, 0], [0])],
  ['257 accounts', versioned([1, ...keys(50), 255, 1, ...new Uint8Array(255), 0])],
  ['a count with an extra byte', legacy([2, 1, 1], [3, 0x80, 0, 0])],
  ['a count of four bytes', legacy([2, 1, 1], [3, 0x80, 0x80, 0x80, 1, 0])],
  ['a count above 16 bits', legacy([2, 1, 1], [3, 0, 0x80, 0x80, 4, ...new Uint8Array(65_536)])],
])('a message with %s throws', (_, bytes) => {
  expect(catchError(() => decodeWireMessage(bytes))?.code).toBe('MALFORMED_DATA');
});

test('every truncated message throws', () => {
  for (const bytes of [legacy(), versioned()]) {
    for (let size = 0; size < bytes.length; size++) {
      expect(catchError(() => decodeWireMessage(bytes.subarray(0, size)))?.code).toBe(
        'MALFORMED_DATA',
      );
    }
  }
});

test('decodes a count of two bytes, low bits first', () => {
  const data = new Uint8Array(300).fill(5);
  const message = decodeWireMessage(legacy([2, 1, 1], [3, 0, 0xac, 0x02, ...data]));
  expect(message.instructions[0]?.data).toEqual(data);
});

test.each([
  ['legacy', legacy()],
  ['of version 0', versioned()],
  ['with a count of two bytes', legacy([2, 1, 1], [3, 0, 0xac, 0x02, ...new Uint8Array(300)])],
  [
    'with a count of three bytes',
    legacy([2, 1, 1], [3, 0, 0x80, 0x80, 1, ...new Uint8Array(16_384)]),
  ],
])('a message %s round-trips', (_, bytes) => {
  expect(encodeWireMessage(decodeWireMessage(bytes))).toEqual(bytes);
});

test('encodes a transaction with its signatures', () => {
  const wire = Uint8Array.from([
    2,
    ...new Uint8Array(64).fill(3),
    ...new Uint8Array(64),
    ...legacy(),
  ]);
  const transaction = decodeWireTransaction(wire);
  expect(transaction.signatures[1]).toBe(EMPTY_SIGNATURE);
  expect(encodeWireTransaction(transaction)).toEqual(wire);
});

test.each([
  ['a missing signature', { signatures: [EMPTY_SIGNATURE] }],
  ['a signature that is too short', { signatures: [EMPTY_SIGNATURE, EMPTY_SIGNATURE.slice(1)] }],
  ['a signature that is not base58', { signatures: [EMPTY_SIGNATURE, '0'.repeat(64)] }],
])('encoding a transaction with %s throws', (_, change) => {
  const message = decodeWireMessage(legacy());
  expect(catchError(() => encodeWireTransaction({ message, ...change }))?.code).toBe(
    'MALFORMED_DATA',
  );
});

test('encoding an invalid message throws', () => {
  const message = decodeWireMessage(legacy());
  const header = { ...message.header, numRequiredSignatures: 0 };
  expect(catchError(() => encodeWireMessage({ ...message, header }))?.code).toBe('MALFORMED_DATA');
  const [instruction] = message.instructions;
  const data = new Uint8Array(65_536);
  const instructions = instruction === undefined ? [] : [{ ...instruction, data }];
  expect(catchError(() => encodeWireMessage({ ...message, instructions }))?.code).toBe(
    'MALFORMED_DATA',
  );
});
