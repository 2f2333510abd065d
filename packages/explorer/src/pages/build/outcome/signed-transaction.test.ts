import { expect, test } from 'vitest';
import { encodeBase64 } from '../../../format/bytes.ts';
import { isSameMessage, signatureOf } from './signed-transaction.ts';

/** A transaction with signatures of one byte value each. */
const transaction = (signatures: readonly number[], message: readonly number[]): string =>
  encodeBase64(
    Uint8Array.from([
      signatures.length,
      ...signatures.flatMap((value) => Array.from({ length: 64 }, () => value)),
      ...message,
    ]),
  );

test('the signature is the first one', () => {
  // 64 bytes of zero are 64 ones in base58
  expect(signatureOf(transaction([0, 7], [1, 2]))).toBe('1'.repeat(64));
});

test('signatures do not belong to the message', () => {
  const unsigned = transaction([0], [1, 2, 3]);
  expect(isSameMessage(transaction([9], [1, 2, 3]), unsigned)).toBe(true);
  expect(isSameMessage(transaction([9], [1, 2, 4]), unsigned)).toBe(false);
  expect(isSameMessage(transaction([9], [1, 2, 3, 4]), unsigned)).toBe(false);
  expect(isSameMessage(transaction([9, 9], [1, 2, 3]), unsigned)).toBe(true);
});
