import { expect, test } from 'vitest';
import { encodeBase58 } from '../../format/bytes.ts';
import { readTransactionInput } from './transaction-input.ts';

/** One empty signature, a header, two keys, a blockhash and one instruction without accounts. */
const wire = Uint8Array.from([
  1,
  ...new Array<number>(64).fill(0),
  ...[1, 0, 1, 2],
  ...new Array<number>(32).fill(7),
  ...new Array<number>(32).fill(250),
  ...new Array<number>(32).fill(9),
  ...[1, 1, 0, 0],
]);
const base64 = Buffer.from(wire).toString('base64');
const expected = { kind: 'transaction', base64 };
const signature = encodeBase58(new Uint8Array(64).fill(201));

test('nothing pasted', () => {
  expect(readTransactionInput(' \n')).toEqual({ kind: 'empty' });
});

test.each([
  ['base64', base64],
  ['base64 without padding', base64.replace(/=+$/, '')],
  ['base64 in lines', base64.replaceAll(/.{60}/g, '$&\n')],
  ['base64 in quotes', `"${base64}",`],
  ['base64url', Buffer.from(wire).toString('base64url')],
  ['base58', encodeBase58(wire)],
  ['a builder’s response', JSON.stringify({ transaction: base64 })],
  ['a node’s response', JSON.stringify({ result: { transaction: [base64, 'base64'] } })],
])('a transaction as %s', (_, text) => {
  expect(readTransactionInput(text)).toEqual(expected);
});

test('a signature', () => {
  expect(readTransactionInput(` ${signature} `)).toEqual({ kind: 'signature', signature });
});

test.each([
  ['a word', 'hello', /5 characters is incomplete/],
  ['a cut transaction', base64.slice(0, 41), /41 characters is incomplete/],
  ['a short text', 'AQID', /has 3 bytes/],
  ['another character', 'AQI§', /“§” is neither/],
  ['an address', 'So11111111111111111111111111111111111111112', /not a transaction/],
  ['hexadecimal', Buffer.from(wire).toString('hex').replace(/^01/, 'ff'), /hexadecimal/],
])('%s is not a transaction, and the reason says why', (_, text, reason) => {
  expect(readTransactionInput(text)).toMatchObject({
    kind: 'invalid',
    reason: expect.stringMatching(reason),
    advice: expect.stringMatching(/\.$/),
  });
});
