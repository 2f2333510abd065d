import type { Vault } from '@tidegate/client';
import { expect, test } from 'vitest';
import type { ListedMarket } from '../../api/directory.ts';
import { findNamed } from './named-results.ts';

const MAIN = 'Hmj7JCMyMLMCtbP3fKppRvgzv9gqV8WpoaihNJ4FyP9s';
const SOL = 'H47eaqBGgjNobzWb1nt9CMMQgR7XALAP1qPsFQoak3HE';
const JITO = '2h8cJ8MwEdQmuQR38wTEaNyDVeRbVfpKLKjgwDfweVqH';

const market = {
  name: 'Main Market',
  lendingMarket: MAIN,
  isPrimary: true,
  description: '',
  lookupTable: '',
  isCurated: false,
};
const reserve = (address: string, symbol: string) =>
  ({
    reserve: address,
    liquidityToken: symbol,
    liquidityTokenMint: `${symbol}mint`,
    market,
  }) as never;
const markets = [
  { ...market, reserves: [reserve(JITO, 'JitoSOL'), reserve(SOL, 'SOL')] },
] as readonly ListedMarket[];

const VAULT = '9kQ2Pv6nKCqB8iTf4ZAa8mTqKyxBcbd1gBzYkNuR5sXe';
const vaults = [
  { address: VAULT, state: { name: 'Steady SOL', sharesMint: 'shares mint' } },
] as unknown as readonly Vault[];

const search = (text: string, listed: readonly Vault[] = []) =>
  findNamed(text, { markets, vaults: listed }).exact.map(({ title, path }) => [title, path]);

test('an equal symbol is before one that contains the text', () => {
  expect(search('sol')).toEqual([
    ['SOL', `/reserves/${SOL}`],
    ['JitoSOL', `/reserves/${JITO}`],
  ]);
});

test('markets are found by a part of their name and by their address', () => {
  expect(search('main')).toEqual([['Main Market', `/markets/${MAIN}`]]);
  expect(search(` ${MAIN} `)).toEqual([['Main Market', `/markets/${MAIN}`]]);
});

test('a part of an address finds nothing', () => {
  expect(search('Hmj7')).toEqual([]);
});

test('an empty text finds nothing', () => {
  expect(search('  ')).toEqual([]);
});

test('a vault is found by a part of its name and by its address', () => {
  expect(search('steady', vaults)).toEqual([['Steady SOL', `/vaults/${VAULT}`]]);
  expect(search(VAULT, vaults)).toEqual([['Steady SOL', `/vaults/${VAULT}`]]);
});

const LOAN = '3dGkq5XUuGBnkxZ8MGc6PKwbGyTmtj6kHkKXxvLgDFTL';
const WALLET = '7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF';
const demo = { wallet: WALLET, obligation: LOAN, vault: VAULT };

test('the demo wallet, loan and vault are found by the word, if there is a demo', () => {
  const found = (text: string) =>
    findNamed(text, { markets, vaults, demo }).exact.map(({ title, path }) => [title, path]);
  expect(found('demo')).toEqual([
    ['Demo wallet', `/wallets/${WALLET}`],
    ['Demo loan', `/loans/${LOAN}`],
    ['Demo vault', `/vaults/${VAULT}`],
  ]);
  expect(search('demo', vaults)).toEqual([]);
});

test('a page is listed once, by its own name', () => {
  const named = [{ address: VAULT, state: { name: 'Demo SOL', sharesMint: 'shares mint' } }];
  const results = findNamed('demo', {
    markets,
    vaults: named as unknown as readonly Vault[],
    demo,
  });
  expect(results.exact.map(({ title }) => title)).toEqual(['Demo SOL', 'Demo wallet', 'Demo loan']);
});

test('a name is found in spite of typing errors, unless another has the text', () => {
  const misspelled = (text: string) =>
    findNamed(text, { markets, vaults }).misspelled.map(({ title }) => title);
  expect(misspelled('stedy')).toEqual(['Steady SOL']);
  expect(misspelled('Stedy sol')).toEqual(['Steady SOL']);
  expect(misspelled('main markte')).toEqual(['Main Market']);
  expect(misspelled('jitsol')).toEqual(['JitoSOL']);
  expect(misspelled('steady')).toEqual([]);
  expect(misspelled('stedy usdc')).toEqual([]);
  expect(search('stedy', vaults)).toEqual([]);
});

test('a signature leads to its transaction', () => {
  const signature =
    '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';
  expect(search(signature)).toEqual([[signature, `/transactions/${signature}`]]);
});
