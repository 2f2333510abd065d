import { expect, test } from 'vitest';
import { parseBenchArguments, parseSize } from '../../bench/arguments.ts';

const KNOWN = ['http', 'year', 'mixed'];
const parse = (...args: string[]) => parseBenchArguments(args, KNOWN);

test('every named benchmark runs, in the order of the names', () => {
  expect(parse('mixed', 'http')).toEqual({ kind: 'full', names: ['mixed', 'http'], sizes: [] });
  expect(parse('all')).toEqual({ kind: 'full', names: KNOWN, sizes: [] });
  expect(parse('--smoke', 'year', 'http')).toEqual({ kind: 'smoke', names: ['year', 'http'] });
  expect(parse('--smoke')).toEqual({ kind: 'smoke', names: KNOWN });
  expect(parse('costs')).toEqual({ kind: 'costs' });
  expect(parse()).toEqual({ kind: 'list' });
});

test('a size belongs to one benchmark', () => {
  expect(parse('year', '30')).toEqual({ kind: 'full', names: ['year'], sizes: ['30'] });
  expect(() => parse('year', 'http', '30')).toThrow('belongs to one benchmark');
  expect(() => parse('30')).toThrow('belongs to one benchmark');
  expect(() => parse('--smoke', 'year', '30')).toThrow('sizes of its own');
});

test('an unknown name is an error, also beside known ones', () => {
  expect(() => parse('http', 'htpp')).toThrow('There is no benchmark "htpp"');
  expect(() => parse('costs', 'http')).toThrow('There is no benchmark "costs"');
});

test.each(['abc', '', '10x', '-1', '0', 'NaN', 'Infinity'])('%j is not a size', (text) => {
  expect(() => parseSize('DAYS', text)).toThrow(`DAYS must be a positive number, not "${text}".`);
});

test('a size is a number', () => {
  expect(parseSize('DAYS', '30')).toBe(30);
  expect(parseSize('BENCH_SECONDS', '0.3')).toBe(0.3);
});
