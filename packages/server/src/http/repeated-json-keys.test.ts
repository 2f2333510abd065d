import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../test/support/properties/assert-property.ts';
import { findRepeatedJsonKeys } from './repeated-json-keys.ts';

test.each([
  ['{"a":1,"b":2}', []],
  ['{"a":1,"a":1}', ['a']],
  ['{"a":1,"\\u0061":2}', ['a']],
  ['{"a":{"b":1},"c":{"b":2}}', []],
  ['{"a":{"b":1,"b":2}}', ['b']],
  ['[{"a":1},{"a":2}]', []],
  ['{"a":[{"b":1},"a","a"],"a":1}', ['a']],
  ['{"a":"\\"a\\":1,{","b":"a"}', []],
  ['{"a" : 1 ,\n"a"\t: 2, "b": [], "b": {}}', ['a', 'b']],
  ['{"":1,"":2}', ['']],
  ['"a"', []],
  ['7', []],
])('%s repeats %j', (json, keys) => {
  expect(findRepeatedJsonKeys(json)).toEqual(keys);
});

test('property: a serialized object has no repeated key; appending a key again is detected', () => {
  assertProperty(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (object) => {
      const json = JSON.stringify(object);
      expect(findRepeatedJsonKeys(json)).toEqual([]);
      const [key = ''] = Object.keys(object);
      const again = `${json.slice(0, -1)},${JSON.stringify(key)}:null}`;
      expect(findRepeatedJsonKeys(again)).toEqual([key]);
    }),
    100,
  );
});
