import { expect, test } from 'vitest';
import { prepareDocs } from './docs-results.ts';
import { listResults } from './search-list.ts';

const entry = { kind: 'guide', title: 'Main ideas', context: 'Guide', url: 'guide/main', text: '' };
const docs = prepareDocs({ fields: [], entries: [entry] });
const market = {
  name: 'Main Market',
  lendingMarket: 'Hmj7JCMyMLMCtbP3fKppRvgzv9gqV8WpoaihNJ4FyP9s',
};
const names = { markets: [market as never], vaults: [] };

const titles = (text: string, data: Parameters<typeof listResults>[1]) =>
  listResults(text, data).rows.map(({ of, title }) => [of, title]);

test('a market is before the documentation', () => {
  expect(titles('main', { names, docs })).toEqual([
    ['explorer', 'Main Market'],
    ['docs', 'Main ideas'],
  ]);
  expect(listResults('main', { names, docs }).status).toBe('2 results');
});

test('what cannot be read is named, and the rest is searched', () => {
  expect(titles('main', { names: undefined, docs })).toEqual([['docs', 'Main ideas']]);
  expect(listResults('main', { names: undefined, docs }).status).toMatch(
    /^1 result.*vaults cannot/,
  );
  expect(listResults('main', { names, docs: undefined }).status).toMatch(/documentation cannot/);
});

test('an address leads to its pages, without the documentation', () => {
  const address = 'So11111111111111111111111111111111111111112';
  const rows = listResults(address, { names, docs }).rows.map(({ kind }) => kind);
  expect(rows).toEqual(['Wallet', 'Loan', 'Market']);
});

test('a search that finds nothing says what can be pasted', () => {
  expect(listResults('xyz', { names, docs }).status).toMatch(
    /^Nothing found for “xyz”\. The address of a wallet.* can be pasted here\.$/,
  );
});
