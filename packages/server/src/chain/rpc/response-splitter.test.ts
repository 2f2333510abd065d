import { bytesFromText } from '@tidegate/core/base';
import fc from 'fast-check';
import { expect, test } from 'vitest';
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

test('property: elements and envelope do not depend on chunk boundaries', () => {
  const value = fc.array(fc.jsonValue({ maxDepth: 3 }).filter((each) => isAscii(each)));
  fc.assert(
    fc.property(value, fc.array(fc.nat(400), { maxLength: 8 }), (list, cuts) => {
      const whole = { jsonrpc: '2.0', result: { context: { slot: 1 }, value: list }, id: 3 };
      const { elements, envelope } = split(JSON.stringify(whole), cuts);
      expect(elements.map((each) => JSON.parse(each))).toEqual(JSON.parse(JSON.stringify(list)));
      expect(JSON.parse(envelope)).toEqual({ ...whole, result: { ...whole.result, value: [] } });
    }),
  );
});

function isAscii(value: unknown): boolean {
  return [...JSON.stringify(value)].every((letter) => letter.charCodeAt(0) < 128);
}
