import { expect, test } from 'vitest';
import {
  formatAmount,
  formatCount,
  formatFull,
  formatPercent,
  formatPrice,
  formatRatio,
  formatTick,
  formatUsd,
} from './number.ts';

/** Numbers and units are joined by a space that does not break. */
const spaced = (text: string): string => text.replaceAll('\u00a0', ' ');

test.each([
  ['84215342.29', '$84.2M'],
  ['51000000', '$51.0M'],
  ['1080519.0230099190086', '$1.08M'],
  ['999999.4', '$999,999'],
  ['12002.31', '$12,002'],
  ['118.4', '$118.4'],
  ['118.40', '$118.40'],
  ['118.403', '$118.40'],
  ['5', '$5'],
  ['0.26', '$0.26'],
  ['0.01', '$0.01'],
  ['0.0099', '< $0.01'],
  ['0.000000000000000001', '< $0.01'],
  ['-0.004', '> −$0.01'],
  ['-12002.31', '−$12,002'],
  ['0', '$0'],
  ['3400000000', '$3.40B'],
])('%s dollars are %s', (value, short) => {
  expect(spaced(formatUsd(value, 'en-US').short)).toBe(short);
});

test.each([
  ['1.231847204999999', '1.2318 SOL'],
  ['0.99982997789712662646', '0.99983 SOL'],
  ['1', '1 SOL'],
  ['104512.25', '104,510 SOL'],
  ['2500000', '2.50M SOL'],
])('the price %s in SOL is %s', (value, short) => {
  expect(spaced(formatRatio(value, 'SOL', 'en-US').short)).toBe(short);
});

test.each([
  ['71.302', 'SOL', '71.30 SOL'],
  ['71.3', 'SOL', '71.3 SOL'],
  ['71', 'SOL', '71 SOL'],
  ['5120.75', 'USDC', '5,121 USDC'],
  ['867609.74889456708707', 'USDC', '867,610 USDC'],
  ['1250000.5', 'USDC', '1.25M USDC'],
  ['0.0031217', 'cbBTC', '0.00312 cbBTC'],
  ['0.000000001', 'SOL', '0.000000001 SOL'],
  ['0', 'SOL', '0 SOL'],
  ['-3.255', 'SOL', '−3.26 SOL'],
  ['12', '', '12'],
])('the amount %s %s is %s', (value, unit, short) => {
  expect(spaced(formatAmount(value, unit, 'en-US').short)).toBe(short);
});

test.each([
  ['0.0521', '5.21 %'],
  ['0.052149', '5.21 %'],
  ['0.5', '50.00 %'],
  ['0.001', '0.10 %'],
  ['1.1247671512', '112.48 %'],
  ['-0.0031802652', '−0.32 %'],
  ['0.00099', '0.099 %'],
  ['0.000048474605942613436749', '0.0048 %'],
  ['-0.0005', '−0.05 %'],
  ['0.0000012', '0.00012 %'],
  ['0.0000001', '< 0.0001 %'],
  ['-0.0000001', '> −0.0001 %'],
  ['0', '0 %'],
])('the fraction %s is %s', (value, short) => {
  expect(spaced(formatPercent(value, 'en-US').short)).toBe(short);
});

test.each([
  ['103123.46325008', '$103,123'],
  ['208.28865732250807297712194', '$208.29'],
  ['0.05571691', '$0.05572'],
  ['0.0000012345', '$0.000001235'],
  ['0.99984798', '$0.9998'],
])('the price %s is %s', (value, short) => {
  expect(formatPrice(value, 'en-US').short).toBe(short);
});

test('the exact form has every digit of the source, more than a number can hold', () => {
  const value = '1257130928826969164.5252518289407178763';
  expect(spaced(formatAmount(value, 'SOL', 'en-US').exact)).toBe(
    '1,257,130,928,826,969,164.5252518289407178763 SOL',
  );
  expect(formatUsd('0.000000000000000000123', 'en-US').exact).toBe('$0.000000000000000000123');
  expect(spaced(formatPercent('0.052100000000000000001', 'en-US').exact)).toBe(
    '5.2100000000000000001 %',
  );
});

test('the minus sign is the same in the short form, the exact form and on an axis', () => {
  expect(formatUsd('-0.5', 'en-US').exact).toBe('−$0.5');
  expect(spaced(formatPercent('-0.0521', 'de-DE').exact)).toBe('−5,21 %');
  expect(formatTick(-2_000_000, 'usd', 'en-US')).toBe('−$2M');
  expect(spaced(formatTick(-0.4, 'percent', 'en-US'))).toBe('−40 %');
  expect(formatUsd('-0.5', 'en-US').plain).toBe('-0.5');
});

test('the plain form is the source as it came', () => {
  expect(formatUsd('84215342.2900', 'de-DE').plain).toBe('84215342.2900');
  expect(formatPercent(0.75).plain).toBe('0.75');
});

test('the locale of the reader decides about separators', () => {
  expect(spaced(formatAmount('5120.75', 'USDC', 'de-DE').short)).toBe('5.121 USDC');
  expect(spaced(formatPercent('0.0521', 'de-DE').short)).toBe('5,21 %');
  expect(spaced(formatUsd('118.40', 'de-DE').short)).toBe('118,40 $');
});

test('counts are grouped', () => {
  expect(formatCount(1234567, 'en-US')).toBe('1,234,567');
  expect(formatCount('526204262', 'en-US')).toBe('526,204,262');
});

test('ticks are short', () => {
  expect(formatTick(2_000_000, 'usd', 'en-US')).toBe('$2M');
  expect(spaced(formatTick(0.4, 'percent', 'en-US'))).toBe('40 %');
  expect(formatTick(1500, 'number', 'en-US')).toBe('1.5K');
});

test.each([
  ['4152791.044846982656', 'usd', '$4,152,791'],
  ['13627.72', 'usd', '$13,628'],
  ['9151.0449', 'usd', '$9,151.04'],
  ['1.0234512345', 'price', '$1.02345'],
  ['103123.25', 'price', '$103,123'],
  ['11.2428123', 'percent', '1,124.28 %'],
  ['0.0557212', 'price', '$0.05572'],
  ['0.05213444', 'percent', '5.2134 %'],
  ['0.5', 'percent', '50.00 %'],
  ['0.0004', 'percent', '0.04 %'],
  ['1234567', 'number', '1,234,567'],
  ['12.3456789', 'number', '12.3457'],
] as const)('beside a crosshair %s in %s is %s', (value, unit, text) => {
  expect(spaced(formatFull(value, unit, 'en').short)).toBe(text);
});

test('beside a crosshair all digits are there to copy', () => {
  expect(formatFull('4152791.044846982656', 'usd', 'en').plain).toBe('4152791.044846982656');
});
