import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../../test/support/properties/assert-property.ts';
import { formatCursor, parseCursor } from './cursor.ts';

const event = fc.record({
  slot: fc.bigInt(0n, 10n ** 18n - 1n),
  transactionIndex: fc.nat(999_999_999),
  path: fc.uint8Array({ maxLength: 64 }),
  eventIndex: fc.nat(9_999),
});
const position = fc.record({
  recorded: fc.bigInt(0n, 10n ** 18n - 1n),
  event: fc.option(event, { nil: undefined }),
});

test('property: a cursor is read as it was written', () => {
  assertProperty(
    fc.property(position, (given) => {
      const { recorded, event: at } = parseCursor(formatCursor(given));
      expect({ recorded, event: at }).toEqual(given);
    }),
    100,
  );
});

test.each(['', 'x', '1-', '1-2', '1-2-3-4-5', '-1', '1-2-3-zz-0', `${'9'.repeat(19)}`])(
  '%j is no cursor',
  (text) => {
    expect(() => parseCursor(text)).toThrow('Invalid query params');
  },
);
