import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { formatEvent } from './event-format.ts';

test('an event has a line per field and ends with an empty line', () => {
  const event = formatEvent({ id: '7', event: 'update', data: '{"a":"ü"}' });
  expect(event.toString()).toBe('id: 7\nevent: update\ndata: {"a":"ü"}\n\n');
  expect(formatEvent({ id: '7' }).toString()).toBe('id: 7\n\n');
});

test('property: no data can begin another event or field', () => {
  const data = fc.string({ unit: fc.constantFrom('a', ':', ' ', '\n', '\r', 'id: 1', 'data') });
  assertProperty(
    fc.property(data, (text) => {
      const lines = formatEvent({ data: text }).toString().split('\n');
      expect(lines.splice(-2)).toEqual(['', '']);
      expect(lines.every((line) => line.startsWith('data: ') && !line.includes('\r'))).toBe(true);
      const read = lines.map((line) => line.slice('data: '.length)).join('\n');
      expect(read).toBe(text.replaceAll(/\r\n|\r/g, '\n'));
    }),
    100,
  );
});
