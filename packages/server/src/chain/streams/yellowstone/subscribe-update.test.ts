import { addressFromBytes, toAddress } from '@tidegate/core/base';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeGeyserUpdate } from '../../../../../../test/support/grpc/geyser-proto.ts';
import {
  accountUpdate,
  resultUpdate,
  transactionUpdate,
} from '../../../../../../test/support/grpc/geyser-updates.ts';
import { flashLoanTransaction } from '../../../../../../test/support/grpc/mainnet-stream-transactions.ts';
import { assertProperty } from '../../../../../../test/support/properties/assert-property.ts';
import { CodedError } from '../../../errors.ts';
import { decodeSubscribeUpdate } from './subscribe-update.ts';
import { decodeTransactionJson } from './transaction-json.ts';

const owner = toAddress('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD');
const address = addressFromBytes(new Uint8Array(32).fill(8));
const lamports = 18_446_744_073_709_551_615n;
const written = { address, account: { owner, lamports, data: Uint8Array.of(1, 2) } };
const decode = (update: Readonly<Record<string, unknown>>) =>
  decodeSubscribeUpdate(encodeGeyserUpdate(update));

test('an account has exact lamports and data of its own', () => {
  const account = accountUpdate(77n, { ...written, writeVersion: 2n ** 63n });
  const { filters, message } = decode({ filters: ['f1', 'f2'], account });
  expect(filters).toEqual(['f1', 'f2']);
  expect(message).toEqual({ kind: 'account', slot: 77n, writeVersion: 2n ** 63n, ...written });
  const data = message.kind === 'account' ? message.account?.data : undefined;
  expect(data?.buffer.byteLength).toBe(2);
});

test('an account without lamports is closed', () => {
  const account = accountUpdate(77n, { address, account: undefined });
  expect(decode({ account }).message).toMatchObject({
    kind: 'account',
    address,
    account: undefined,
  });
});

test('slots, blocks and pings', () => {
  expect(decode({ slot: { slot: '9', parent: '7', status: 6, deadError: 'x' } }).message).toEqual({
    kind: 'slot',
    slot: 9n,
    parent: 7n,
    status: 6,
  });
  expect(decode({ slot: { slot: '9' } }).message).toEqual({
    kind: 'slot',
    slot: 9n,
    parent: undefined,
    status: 0,
  });
  expect(decode({ block: { slot: '9', blockTime: { value: '1755872986' } } }).message).toEqual({
    kind: 'block',
    slot: 9n,
    unix: 1_755_872_986n,
  });
  expect(decode({ block: { slot: '9' } }).message).toMatchObject({ unix: undefined });
  expect(decode({ ping: {} }).message).toEqual({ kind: 'ping' });
  expect(decode({ pong: { id: 3 } }).message).toEqual({ kind: 'pong' });
  expect(decode({ createdAt: { seconds: '5' } }).message).toEqual({ kind: 'other' });
});

test('the result of a transaction has its signature and whether it failed', () => {
  const { streamed, json } = flashLoanTransaction();
  const [signature] = json.transaction.signatures;
  const failed = decode({ result: resultUpdate(5n, streamed) }).message;
  expect(failed).toMatchObject({ signature, slot: 5n, failed: true, transactionIndex: 1264 });
  const { error: _, ...successful } = streamed;
  const succeeded = decode({ result: resultUpdate(5n, successful) }).message;
  expect(succeeded).toMatchObject({ failed: false, encoded: undefined });
});

test.each<[string, Readonly<Record<string, unknown>>]>([
  ['an account without content', { account: { slot: '5' } }],
  [
    'an account without an address',
    { account: { slot: '5', account: { owner: new Uint8Array(32) } } },
  ],
  ['a short address', { account: { account: { address: Uint8Array.of(1) } } }],
  ['a short signature', { result: { slot: '5', signature: Uint8Array.of(1) } }],
  ['a transaction without content', { transaction: { slot: '5' } }],
  ['a transaction without a message', { transaction: { info: { signature: new Uint8Array(64) } } }],
])('%s is malformed', (_, update) => {
  expect(() => decode(update)).toThrow(/is malformed/);
});

const { slot, streamed } = flashLoanTransaction();
const samples = [
  encodeGeyserUpdate({ filters: ['f1'], account: accountUpdate(77n, written) }),
  encodeGeyserUpdate({ filters: ['f1'], transaction: transactionUpdate(slot, streamed) }),
  encodeGeyserUpdate({ slot: { slot: '9', parent: '7', status: 1 } }),
];

/** Decodes everything of an update. Returns the code of the error, if any. */
function decodeAll(bytes: Uint8Array): string | undefined {
  try {
    const { message } = decodeSubscribeUpdate(bytes);
    if (message.kind === 'transaction' && message.encoded !== undefined) {
      decodeTransactionJson(message.encoded, { slot: message.slot, blockTime: undefined });
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return error.code;
  }
}

test('property: a message with changed bytes is decoded or malformed', () => {
  const changes = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 8 });
  assertProperty(
    fc.property(fc.constantFrom(...samples), changes, fc.nat(), (sample, edits, cut) => {
      const bytes = Uint8Array.from(sample);
      for (const [at, byte] of edits) bytes[at % bytes.length] = byte;
      const end = edits.length % 2 === 0 ? bytes.length : cut % bytes.length;
      expect([undefined, 'MALFORMED_DATA']).toContain(decodeAll(bytes.subarray(0, end)));
    }),
    2_000,
  );
});

test('every truncation of a transaction is decoded or malformed', () => {
  const [, transaction = Buffer.alloc(0)] = samples;
  for (let end = 0; end < transaction.length; end++) {
    expect([undefined, 'MALFORMED_DATA']).toContain(decodeAll(transaction.subarray(0, end)));
  }
});
