import { expect, test } from 'vitest';
import { goldenFlow } from '../../../../../../test/support/golden/golden.ts';
import { encodeBase64 } from '../../../base/encoding/base64.ts';
import { concatBytes } from '../../../base/encoding/bytes.ts';
import { parseWireTransaction } from './wire-transaction.ts';

const [recorded] = goldenFlow('02-borrow-sol.json').transactions;
const wire = Uint8Array.from(Buffer.from(recorded?.wire ?? '', 'base64'));
/** One signature in front of it. */
const message = wire.subarray(65);

const refusal = (text: string): string => {
  try {
    parseWireTransaction(text);
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  return 'taken';
};

test('a whole transaction is taken, and counted', () => {
  const { size, signatures } = parseWireTransaction(encodeBase64(wire));
  expect([size, signatures.length]).toEqual([809, 1]);
});

test('no cut of a transaction is one, and nothing may follow it', () => {
  for (let size = 0; size < wire.length; size++) {
    expect(refusal(encodeBase64(wire.subarray(0, size))), `${size} bytes`).toMatch(/^The tr/);
  }
  const longer = concatBytes([wire, Uint8Array.of(0)]);
  expect(refusal(encodeBase64(longer))).toContain('1 bytes follow the message');
});

test('a message alone is told from what is nothing', () => {
  const alone =
    'it is a message alone; its signatures, or 64 zero bytes for each, and their number';
  expect(refusal(encodeBase64(message))).toContain(alone);
  const legacy = concatBytes([message.subarray(1, -1)]);
  expect(refusal(encodeBase64(legacy))).toContain(alone);
  expect(refusal(encodeBase64(message.subarray(1)))).not.toContain(alone);
});

test('a later version is refused by its number, in the place of both forms', () => {
  const changed = wire.slice();
  changed[65] = 0x81;
  expect(refusal(encodeBase64(changed))).toContain('version 1 is not known');
  const first = concatBytes([Uint8Array.of(0x82), message.subarray(1)]);
  expect(refusal(encodeBase64(first))).toContain('version 2 is not known, only legacy and 0');
});
