import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../test/support/properties/assert-property.ts';
import { parseInstant } from './instant-parameter.ts';

const { Date: RuntimeDate } = globalThis;

const secondsOf = (text: string): bigint | string => {
  const parsed = parseInstant(text, 'start');
  return 'instant' in parsed ? parsed.instant : parsed.issues[0].code;
};

const messageOf = (text: string): string => {
  const parsed = parseInstant(text, 'end');
  return 'instant' in parsed ? '' : parsed.issues[0].message;
};

test('dates and date-times are parsed, without a time zone as UTC', () => {
  expect(secondsOf('2024-01-01')).toBe(1_704_067_200n);
  expect(secondsOf('2024-01-01T00:00Z')).toBe(1_704_067_200n);
  expect(secondsOf('2024-01-01T00:00')).toBe(1_704_067_200n);
  expect(secondsOf('2024-01-01T01:30:05.000Z')).toBe(1_704_072_605n);
  expect(secondsOf('2024-01-01T02:00:00+02:00')).toBe(1_704_067_200n);
  expect(secondsOf('2023-12-31T18:30:00-0530')).toBe(1_704_067_200n);
  expect(secondsOf('2024-01-01T23:59+23:59')).toBe(1_704_067_200n);
});

test('a number is epoch milliseconds', () => {
  expect(secondsOf('1704067200000')).toBe(1_704_067_200n);
  expect(secondsOf('0')).toBe(0n);
});

test('fractions of a second are rounded up', () => {
  expect(secondsOf('1704067200001')).toBe(1_704_067_201n);
  expect(secondsOf('2024-01-01T00:00:00.000001Z')).toBe(1_704_067_201n);
  expect(secondsOf('2024-01-01T00:00:00.999999999Z')).toBe(1_704_067_201n);
});

test('epoch seconds are rejected with the value in milliseconds', () => {
  const parsed = parseInstant('1704067200', 'start');
  expect(parsed).toEqual({
    issues: [
      {
        path: ['start'],
        code: 'epoch_seconds',
        message: 'start looks like epoch seconds; use milliseconds: 1704067200000',
        suggestion: '1704067200000',
      },
    ],
  });
  expect(messageOf('1704067200.25')).toContain('1704067200000');
  expect(secondsOf('32503680000')).toBe('epoch_seconds');
  expect(secondsOf('999999999')).toBe(1_000_000n);
});

test('years from 0 to 9999 are accepted', () => {
  expect(secondsOf('0000-01-01')).toBe(-62_167_219_200n);
  expect(secondsOf('9999-12-31T23:59:59.999Z')).toBe(253_402_300_800n);
  expect(secondsOf('0000-01-01T00:00+00:01')).toBe('out_of_range');
  expect(secondsOf('9999-12-31T23:59:59-00:01')).toBe('out_of_range');
  expect(secondsOf('253402300800001')).toBe('out_of_range');
  expect(secondsOf('1704067200000000')).toBe('out_of_range');
  expect(secondsOf('9'.repeat(5000))).toBe('out_of_range');
});

test('invalid dates are rejected', () => {
  const texts = [
    '',
    'yesterday',
    'NaN',
    '-1',
    '1.5',
    '1e12',
    ' 2024-01-01',
    '2024-01-01 ',
    '2024-1-1',
    '2024-13-01',
    '2023-02-29',
    '2024-01-01Z',
    '2024-01-01T',
    '2024-01-01T24:00Z',
    '2024-01-01T12:60Z',
    '2024-01-01T12:00:60Z',
    '2024-01-01T12:00:00.Z',
    '2024-01-01T12:00+24:00',
    '2024-01-01T12:00+01:60',
    '+002024-01-01',
    '2024-01-01T00:00Z\n',
    '٢٠٢٤-٠١-٠١',
  ];
  expect(texts.map(secondsOf)).toEqual(texts.map(() => 'invalid_date'));
});

test('a plus sign that was decoded as a space is explained', () => {
  expect(messageOf('2024-01-01T00:00:00 02:00')).toContain(
    '. Encode the + of the time zone as %2B',
  );
  expect(messageOf('2024-01-01')).toBe('');
  expect(messageOf('today')).not.toContain('%2B');
});

test('property: every output of Date.toISOString is accepted', () => {
  const ms = fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 });
  assertProperty(
    fc.property(ms, (at) => {
      const seconds = BigInt(Math.ceil(at / 1000));
      expect(secondsOf(new RuntimeDate(at).toISOString())).toBe(seconds);
    }),
    1000,
  );
});

test('property: no text throws', () => {
  assertProperty(
    fc.property(fc.string({ unit: fc.constantFrom(...'0123456789-:.TZ+ ') }), (text) => {
      expect(['bigint', 'string']).toContain(typeof secondsOf(text));
    }),
    2000,
  );
});
