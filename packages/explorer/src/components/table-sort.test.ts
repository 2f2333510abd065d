import { expect, test } from 'vitest';
import { nextSort, parseSort, type SortValue, sortRows } from './table-sort.ts';

const sorted = (values: readonly SortValue[], order: string) =>
  sortRows(
    values.map((value) => ({ value })),
    ({ value }) => value,
    parseSort(order),
  ).map(({ value }) => value);

test('decimal strings are sorted as numbers', () => {
  expect(sorted(['9', '10', '-3.5', '0.2'], 'x')).toEqual(['-3.5', '0.2', '9', '10']);
  expect(sorted(['9', '10', '-3.5', '0.2'], '-x')).toEqual(['10', '9', '0.2', '-3.5']);
});

test('names are sorted as text', () => {
  expect(sorted(['JLP', 'Bitcoin', 'Main'], 'x')).toEqual(['Bitcoin', 'JLP', 'Main']);
});

test('unknown values are last in both directions', () => {
  expect(sorted([undefined, '1', null, '2'], 'x')).toEqual(['1', '2', undefined, null]);
  expect(sorted([undefined, '1', null, '2'], '-x')).toEqual(['2', '1', undefined, null]);
});

test('without an order, rows stay as they are', () => {
  expect(sorted(['2', '1'], '')).toEqual(['2', '1']);
});

test('the first click on a column of numbers sorts the largest first, the second turns it around', () => {
  const first = nextSort(undefined, 'supplied', true);
  expect(first).toEqual({ key: 'supplied', isDescending: true });
  expect(nextSort(first, 'supplied', true)).toEqual({ key: 'supplied', isDescending: false });
  expect(nextSort(first, 'name', false)).toEqual({ key: 'name', isDescending: false });
});
