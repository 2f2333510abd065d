import { bytesFromText } from '@tidegate/core/base';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { ResponseSplitter } from './response-splitter.ts';

function split(text: string, cuts: readonly number[] = []) {
  const elements: string[] = [];
  const splitter = new ResponseSplitter((element) => elements.push(element));
  const bytes = bytesFromText(text);
  let from = 0;
  for (const cut of [...cuts, bytes.length].sort((a, b) => a - b)) {
    splitter.push(bytes.slice(from, cut));
    from = Math.max(from, cut);
  }
  return { elements, envelope: splitter.envelope() };
}

test('the array of the result is emitted and the rest stays JSON', () => {
  const text =
    '{"jsonrpc":"2.0","result":{"context":{"slot":7},"value":[null, {"a":[1,2]} ,3]},"id":1}';
  expect(split(text)).toEqual({
    elements: ['null', '{"a":[1,2]}', '3'],
    envelope: '{"jsonrpc":"2.0","result":{"context":{"slot":7},"value":[]},"id":1}',
  });
});

test('an empty array has no elements', () => {
  expect(split('{"result":{"value":[ ]}}').elements).toEqual([]);
});

test('brackets, commas and quotes inside strings do not split elements', () => {
  const element = JSON.stringify({ text: '],[}"\\', other: '\\\\"' });
  const { elements, envelope } = split(`{"result":{"value":[${element},${element}]}}`);
  expect(elements).toEqual([element, element]);
  expect(envelope).toBe('{"result":{"value":[]}}');
});

test('escapes are recognized across chunk boundaries', () => {
  const element = JSON.stringify({ text: '\\"],\\\\"', other: '\\' });
  const text = `{"result":{"value":[${element}]}}`;
  for (let first = 0; first <= text.length; first++) {
    for (let second = first; second <= text.length; second++) {
      expect(split(text, [first, second]).elements).toEqual([element]);
    }
  }
});

test('the envelope of a truncated response is not valid JSON', () => {
  const { envelope } = split('{"result":{"value":[{"a":1},{"b"');
  expect(() => JSON.parse(envelope)).toThrow();
});

/** The start of a response whose last part never ends, in pieces of 4 MiB. */
function pushEndlessly(start: string, pieces: number): void {
  const splitter = new ResponseSplitter(() => undefined);
  const piece = new Uint8Array(4 * 1024 * 1024).fill(0x61);
  splitter.push(bytesFromText(start));
  for (let count = 0; count < pieces; count++) splitter.push(piece);
}

test.each([
  ['an element', '{"result":{"value":[{"data":"'],
  ['the envelope', '{"result":{"context":"'],
])('%s without end is an error above 64 MiB', (_, start) => {
  expect(catchError(() => pushEndlessly(start, 15))).toBeUndefined();
  expect(catchError(() => pushEndlessly(start, 16))?.code).toBe('MALFORMED_DATA');
});

test('many elements are larger together', () => {
  const elements: number[] = [];
  const splitter = new ResponseSplitter((text) => elements.push(text.length));
  const element = bytesFromText(`"${'a'.repeat(8 * 1024 * 1024)}",`);
  splitter.push(bytesFromText('{"result":{"value":['));
  for (let count = 0; count < 10; count++) splitter.push(element);
  expect(elements).toHaveLength(10);
});

test('property: elements and envelope do not depend on chunk boundaries', () => {
  const value = fc.array(fc.jsonValue({ maxDepth: 3 }).filter((each) => isAscii(each)));
  assertProperty(
    fc.property(value, fc.array(fc.nat(400), { maxLength: 8 }), (list, cuts) => {
      const whole = { jsonrpc: '2.0', result: { context: { slot: 1 }, value: list }, id: 3 };
      const { elements, envelope } = split(JSON.stringify(whole), cuts);
      expect(elements.map((each) => JSON.parse(each))).toEqual(JSON.parse(JSON.stringify(list)));
      expect(JSON.parse(envelope)).toEqual({ ...whole, result: { ...whole.result, value: [] } });
    }),
    100,
  );
});

function isAscii(value: unknown): boolean {
  return [...JSON.stringify(value)].every((letter) => letter.charCodeAt(0) < 128);
}

test('the accounts of a page are emitted, and its key stays in the envelope', () => {
  const page = '{"accounts":[{"a":[1]},{"b":2}],"paginationKey":"k"}';
  const text = `{"result":{"context":{"apiVersion":"3","slot":7},"value":${page}}}`;
  for (let cut = 0; cut <= text.length; cut++) {
    expect(split(text, [cut])).toEqual({
      elements: ['{"a":[1]}', '{"b":2}'],
      envelope:
        '{"result":{"context":{"apiVersion":"3","slot":7},"value":{"accounts":[],"paginationKey":"k"}}}',
    });
  }
});

test('an array before the list, at the depth of a page, stays in the envelope', () => {
  const text = '{"result":{"context":{"features":[1,2],"slot":7},"value":[3]}}';
  expect(split(text)).toEqual({
    elements: ['3'],
    envelope: '{"result":{"context":{"features":[1,2],"slot":7},"value":[]}}',
  });
});
