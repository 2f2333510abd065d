import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../test/support/properties/assert-property.ts';
import { EventReader } from './event-reader.ts';

const TEXT =
  'retry: 1000\n\n: heartbeat\n\nevent: headers\ndata: {"x-slot":"7"}\n\nid: 7\nevent: update\ndata: {"name":"Größe ✓"}\n\nid: 8\n\ndata: a\ndata:b\n\nevent: closed\ndata: {}\n\nevent: lost\ndata: 1';

const EVENTS = [
  { event: 'headers', data: '{"x-slot":"7"}' },
  { event: 'update', data: '{"name":"Größe ✓"}' },
  { event: 'message', data: 'a\nb' },
  { event: 'closed', data: '{}' },
];

const split = (bytes: Uint8Array, at: readonly number[]): Uint8Array[] => {
  const cuts = [0, ...at.toSorted((a, b) => a - b), bytes.length];
  return cuts.slice(1).map((end, index) => bytes.subarray(cuts[index] ?? 0, end));
};

test.each([
  ['\n', TEXT],
  ['\r\n', TEXT.replaceAll('\n', '\r\n')],
])('property: events do not depend on where the bytes are cut (line end %j)', (_, text) => {
  const bytes = new TextEncoder().encode(text);
  const cuts = fc.array(fc.nat(bytes.length), { maxLength: 20 });
  assertProperty(
    fc.property(cuts, (at) => {
      const reader = new EventReader();
      expect(split(bytes, at).flatMap((part) => reader.read(part))).toEqual(EVENTS);
    }),
    100,
  );
});
