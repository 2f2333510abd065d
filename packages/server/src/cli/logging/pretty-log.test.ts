import { expect, test } from 'vitest';
import { createPrettyFormatter } from './pretty-log.ts';
import { createFormatter, isAnsweredProbe, requestLevelOf } from './server-log.ts';

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

/** What a terminal obeys (C0, DEL, C1), and what changes the order of a line (bidirectional controls, line separators). */
const CONTROLS = '\u001b[2J\u001b]0;title\u0007\b\r\n\u007f\u009b31m\u202e\u2066\u2028\u200f\ufeff';

test('control characters of untrusted text are escaped in every part of a line', () => {
  const format = createPrettyFormatter({ hasColors: false });
  const error = { type: 'Error', message: CONTROLS, stack: `Error: ${CONTROLS}\n    at x.ts:1` };
  const text = format(
    line({
      level: 30,
      time,
      [`f${CONTROLS}`]: 1,
      plain: CONTROLS,
      list: [CONTROLS],
      error,
      msg: CONTROLS,
    }),
  );
  const lines = text.trimEnd().split('\n');
  const controls = [...CONTROLS].filter((one) => !/[ -~]/.test(one));
  expect(controls.filter((one) => lines.join('').includes(one))).toEqual([]);
  expect(lines.slice(1).filter((rest) => !rest.startsWith('    '))).toEqual([]);
  expect(text).toContain('plain="\\u001b[2J');
});

test('a value that looks like other fields, or like a new line, stays one value', () => {
  const format = createPrettyFormatter({ hasColors: false });
  const forged = 'x\n09:05:07.040 INFO  request status=200';
  expect(format(line({ level: 30, time, reason: forged, msg: 'slow' }))).toBe(
    '09:05:07.040 INFO  slow reason="x\\n09:05:07.040 INFO  request status=200"\n',
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

test.each([
  ['/health', 200, true],
  ['/ready', 200, true],
  ['/metrics', 304, true],
  ['/ready', 503, false],
  ['/metrics', 500, false],
  ['/status', 200, false],
] as const)('a request for %s with %d is a probe that needs no line: %s', (route, status, is) => {
  expect(isAnsweredProbe({ route, status })).toBe(is);
});
