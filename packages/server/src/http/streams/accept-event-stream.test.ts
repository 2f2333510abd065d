import { expect, test } from 'vitest';
import { prefersEventStream } from './accept-event-stream.ts';

test.each([
  [undefined, false],
  ['*/*', false],
  ['text/event-stream', true],
  ['TEXT/Event-Stream', true],
  ['text/event-stream;q=0', false],
  ['text/event-stream, application/json', false],
  ['text/event-stream, application/json;q=0.9', true],
  ['application/json, text/event-stream;q=0.9', false],
  ['text/event-stream, */*;q=0.1', true],
])('accept: %s prefers a stream: %s', (accept, expected) => {
  expect(prefersEventStream(accept === undefined ? {} : { accept })).toBe(expected);
});
