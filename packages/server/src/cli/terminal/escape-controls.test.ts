import { expect, test } from 'vitest';
import { escapeControls, escapeLines } from './escape-controls.ts';

test.each([
  ['\u001b[2J', '\\u001b[2J'],
  ['a\r\nb\tc', 'a\\u000d\\u000ab\\u0009c'],
  ['\u009b31m\u007f', '\\u009b31m\\u007f'],
  ['\u202eabc\u2066\u2028\ufeff', '\\u202eabc\\u2066\\u2028\\ufeff'],
  ['plain – text, 日本語 💧', 'plain – text, 日本語 💧'],
])('%j is written as %j', (text, expected) => {
  expect(escapeControls(text)).toBe(expected);
});

test('of several lines, only the line feeds stay', () => {
  expect(escapeLines('a\u001b\n\u0007b\n')).toBe('a\\u001b\n\\u0007b\n');
});

test('escaped JSON is the same value', () => {
  const value = { name: '\u0000\u001b[2J\n\u009b\u202e\ufeff"\\' };
  const text = escapeLines(JSON.stringify(value, null, 2));
  expect(JSON.parse(text)).toEqual(value);
  expect([...text].filter((one) => one !== '\n' && !/[ -~]/.test(one))).toEqual([]);
});
