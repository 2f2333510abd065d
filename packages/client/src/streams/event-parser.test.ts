import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../test/support/properties/assert-property.ts';
import { createEventParser, type StreamItem } from './event-parser.ts';

const encoder = new TextEncoder();

function parse(text: string): readonly StreamItem[] {
  return createEventParser().push(encoder.encode(text));
}

test('an event has a name, a position and data', () => {
  expect(parse('retry: 1000\n\nid: 42\nevent: update\ndata: {"a":1}\n\n')).toEqual([
    { kind: 'retry', ms: 1000 },
    { kind: 'event', event: 'update', id: '42', data: '{"a":1}' },
  ]);
});

test('lines of data are joined, comments and unknown fields are ignored, one space is removed', () => {
  const text = ': heartbeat\n\ndata:a\ndata:  b\ndata\nother: x\n: c\n\n';
  expect(parse(text)).toEqual([{ kind: 'event', event: 'message', id: '', data: 'a\n b\n' }]);
});

test('the position holds until it changes, and can change without an event', () => {
  expect(parse('id: 1\ndata: a\n\ndata: b\n\nid: 2\n\nid\ndata: c\n\n')).toEqual([
    { kind: 'event', event: 'message', id: '1', data: 'a' },
    { kind: 'event', event: 'message', id: '1', data: 'b' },
    { kind: 'position', id: '2' },
    { kind: 'event', event: 'message', id: '', data: 'c' },
  ]);
});

test('an event that is not complete, a position with a null character and a bad delay are ignored', () => {
  expect(parse('id: a\0b\nretry: 1s\nretry: -1\ndata: x\n')).toEqual([]);
  expect(parse('\uFEFFdata: x\n\n')).toEqual([
    { kind: 'event', event: 'message', id: '', data: 'x' },
  ]);
});

test('heartbeats can continue forever, and an event beyond the limit is rejected', () => {
  const { push } = createEventParser(100);
  const heartbeat = encoder.encode(': heartbeat\n');
  for (let count = 0; count < 100; count += 1) expect(push(heartbeat)).toEqual([]);
  expect(() => push(encoder.encode(`data: ${'x'.repeat(60)}\ndata: ${'x'.repeat(60)}`))).toThrow(
    RangeError,
  );
});

/** Text of one line, with characters of one to four bytes. */
const lineText = fc
  .string({ unit: fc.constantFrom('a', ' ', ':', 'é', '€', '𝄞'), maxLength: 12 })
  .chain((text) => fc.constantFrom(text, `${text}:`, ` ${text}`));

const lineEnd = fc.constantFrom('\n', '\r', '\r\n');

/** An event as a server writes it, and as a reader must see it. */
const written = fc
  .record({
    event: fc.option(lineText, { nil: undefined }),
    id: lineText,
    data: fc.array(lineText, { minLength: 1, maxLength: 3 }),
    comment: fc.option(lineText, { nil: undefined }),
    retry: fc.option(fc.nat({ max: 60_000 }), { nil: undefined }),
    end: lineEnd,
  })
  .map(({ event, id, data, comment, retry, end }) => {
    const lines = [
      ...(comment === undefined ? [] : [`:${comment}`]),
      ...(retry === undefined ? [] : [`retry: ${retry}`]),
      ...(event === undefined ? [] : [`event: ${event}`]),
      `id: ${id}`,
      ...data.map((line) => `data: ${line}`),
      '',
    ];
    const items: StreamItem[] = [
      ...(retry === undefined ? [] : [{ kind: 'retry' as const, ms: retry }]),
      { kind: 'event', event: event || 'message', id, data: data.join('\n') },
    ];
    return { text: lines.map((line) => line + end).join(''), items };
  });

const chunkSizes = fc.infiniteStream(fc.integer({ min: 1, max: 9 }));

test('property: any division of the bytes into chunks gives the same events', () => {
  assertProperty(
    fc.property(fc.array(written, { maxLength: 6 }), chunkSizes, (events, sizes) => {
      const bytes = encoder.encode(events.map(({ text }) => text).join(''));
      const { push } = createEventParser();
      const items: StreamItem[] = [];
      for (let start = 0; start < bytes.length; ) {
        const size = sizes.next().value ?? 1;
        items.push(...push(bytes.slice(start, start + size)));
        start += size;
      }
      expect(items).toEqual(events.flatMap(({ items: each }) => each));
    }),
    100,
  );
});
