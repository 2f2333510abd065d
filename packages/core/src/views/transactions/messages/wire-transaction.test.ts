import { expect, test } from 'vitest';
import { goldenFlow } from '../../../../../../test/support/golden/golden.ts';
import { encodeBase64 } from '../../../base/encoding/base64.ts';
import { concatBytes } from '../../../base/encoding/bytes.ts';
import { parseWireTransaction } from './wire-transaction.ts';

const [recorded] = goldenFlow('02-borrow-sol.json').transactions;
const wire = Uint8Array.from(Buffer.from(recorded?.wire ?? '', 'base64'));
/** Without the single signature. */
const message = wire.subarray(65);

const errorOf = (text: string): string => {
  try {
    parseWireTransaction(text);
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  return 'parsed';
};

test('a complete transaction is parsed with its size', () => {
  const { size, signatures } = parseWireTransaction(encodeBase64(wire));
  expect([size, signatures.length]).toEqual([809, 1]);
});

test('a truncated transaction or one with trailing bytes throws', () => {
  for (let size = 0; size < wire.length; size++) {
    expect(errorOf(encodeBase64(wire.subarray(0, size))), `${size} bytes`).toMatch(/^The tr/);
  }
  const longer = concatBytes([wire, Uint8Array.of(0)]);
  expect(errorOf(encodeBase64(longer))).toContain('1 bytes follow the message');
});

test('a message without signatures is recognized', () => {
  const alone =
    'it is a message without signatures; put the signature count and the signatures in front';
  expect(errorOf(encodeBase64(message))).toContain(alone);
  const legacy = concatBytes([message.subarray(1, -1)]);
  expect(errorOf(encodeBase64(legacy))).toContain(alone);
  expect(errorOf(encodeBase64(message.subarray(1)))).not.toContain(alone);
});

test('an unknown version throws with its number, in both formats', () => {
  const changed = wire.slice();
  changed[65] = 0x81;
  expect(errorOf(encodeBase64(changed))).toContain('version 1 is not supported');
  const first = concatBytes([Uint8Array.of(0x82), message.subarray(1)]);
  expect(errorOf(encodeBase64(first))).toContain('version 2 is not supported, only legacy and 0');
});
