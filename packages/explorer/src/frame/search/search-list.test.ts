import { expect, test } from 'vitest';
import { prepareDocs } from './docs-results.ts';
import { listAddressResults, listResults } from './search-list.ts';

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

test('a misspelled name is after what has the text, and before what a correction finds', () => {
  const text = 'mian';
  const entries = [{ ...entry, title: 'Mian', url: 'guide/mian' }];
  expect(titles(text, { names, docs: prepareDocs({ fields: [], entries }) })).toEqual([
    ['docs', 'Mian'],
    ['explorer', 'Main Market'],
  ]);
  expect(titles(text, { names, docs })).toEqual([
    ['explorer', 'Main Market'],
    ['docs', 'Main ideas'],
  ]);
  expect(listResults(text, { names: undefined, docs }).status).toMatch(/ for “main”$/);
});

test('what cannot be read is named, and the rest is searched', () => {
  expect(titles('main', { names: undefined, docs })).toEqual([['docs', 'Main ideas']]);
  expect(listResults('main', { names: undefined, docs }).status).toMatch(
    /^1 result.*vaults cannot/,
  );
  expect(listResults('main', { names, docs: undefined }).status).toMatch(/documentation cannot/);
});

const address = 'So11111111111111111111111111111111111111112';

test('an address leads to the pages of its roles, without the documentation', () => {
  const roles = [{ role: 'wallet', name: '', loans: 1 }] as const;
  const { rows, status } = listAddressResults(address, { address, roles }, names);
  expect(rows.map(({ kind }) => kind)).toEqual(['Wallet']);
  expect(status).toBe('1 result');
});

test('if the server cannot be asked, a listed address has its name, and another is offered as a wallet', () => {
  const [listed] = listAddressResults(market.lendingMarket, undefined, names).rows;
  expect(listed).toMatchObject({ kind: 'Market', title: 'Main Market' });
  const [other] = listAddressResults(address, undefined, names).rows;
  expect(other).toMatchObject({ kind: 'Wallet', note: 'the server cannot be asked what it is' });
});

test('a search that finds nothing says what can be pasted', () => {
  expect(listResults('xyz', { names, docs }).status).toMatch(
    /^Nothing found for “xyz”\. Any address.* can be pasted here\.$/,
  );
});
