import { expect, test } from 'vitest';
import { createPrettyFormatter } from './pretty-log.ts';
import { createFormatter, requestLevelOf } from './server-log.ts';

const time = new Date(2026, 0, 31, 9, 5, 7, 40).getTime();
const line = (fields: object) => `${JSON.stringify(fields)}\n`;
const listening = line({ level: 30, time, url: 'http://127.0.0.1:8080', msg: 'listening' });

test('a line has the local time, the level, the message and the fields', () => {
  const format = createPrettyFormatter({ hasColors: false });
  expect(format(listening)).toBe('09:05:07.040 INFO  listening url=http://127.0.0.1:8080\n');
  expect(format(line({ level: 40, time, reason: 'no route', slots: 3, msg: 'slow' }))).toBe(
    '09:05:07.040 WARN  slow reason="no route" slots=3\n',
  );
});

test('the stack of an error follows on lines of its own', () => {
  const error = { type: 'Error', message: 'broken', stack: 'Error: broken\n    at x.ts:1' };
  const format = createPrettyFormatter({ hasColors: false });
  expect(format(line({ level: 50, time, error, msg: 'failed' }))).toBe(
    '09:05:07.040 ERROR failed error="broken"\n    Error: broken\n        at x.ts:1\n',
  );
});

test('colors are escape codes around the same text', () => {
  const colored = createPrettyFormatter({ hasColors: true })(listening);
  expect(colored).toContain('\u001b[32mINFO \u001b[0m');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape codes start with one
  expect(colored.replaceAll(/\u001b\[\d+m/g, '')).toBe(
    createPrettyFormatter({ hasColors: false })(listening),
  );
});

test.each([
  ['auto', true, 'pretty', 'debug'],
  ['auto', false, 'json', 'info'],
  ['json', true, 'json', 'info'],
  ['pretty', false, 'pretty', 'info'],
  ['pretty', true, 'pretty', 'debug'],
] as const)(
  'LOG_FORMAT=%s with a terminal: %s is %s, requests are %s',
  (...[format, isTTY, expected, level]) => {
    expect(requestLevelOf(format, { isTTY })).toBe(level);
    const formatted = createFormatter(format, { isTTY, hasColors: () => false })(listening);
    expect(formatted === listening ? 'json' : 'pretty').toBe(expected);
  },
);

test('colors are used only on a terminal that supports them', () => {
  const hasEscape = (isTTY: boolean, hasColors: boolean) =>
    createFormatter('pretty', { isTTY, hasColors: () => hasColors })(listening).includes('\u001b');
  expect([hasEscape(true, true), hasEscape(true, false), hasEscape(false, true)]).toEqual([
    true,
    false,
    false,
  ]);
});
