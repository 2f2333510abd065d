import { toAddress, ZERO_ADDRESS } from '@tidegate/core/base';
import { KLEND_PROGRAM, KLEND_STAGING_PROGRAM } from '@tidegate/core/protocol/klend';
import { expect, test } from 'vitest';
import { listRegistryProblems } from '../check-registry.ts';
import { registryJson } from '../registry-json.ts';
import { mainnetRegistry } from './mainnet-registry.ts';

const { markets, tokens, stakePools, vaults, privateCreditVaults } = mainnetRegistry;

test('it has no problem that a document could have', () => {
  expect(listRegistryProblems(registryJson(mainnetRegistry))).toEqual([]);
});

test('it has the 27 listed markets of the main program and 6 of the staging program', () => {
  const countOf = (program: string) =>
    markets.filter(({ programId }) => programId === program).length;
  expect(countOf(KLEND_PROGRAM)).toBe(27);
  expect(countOf(KLEND_STAGING_PROGRAM)).toBe(6);
  expect(markets).toHaveLength(33);
});

test('every market has a name, a description of its own and its own lookup table', () => {
  const distinct = (values: readonly string[]) => new Set(values).size;
  expect(markets.filter(({ name, description }) => name === '' || description === '')).toEqual([]);
  expect(distinct(markets.map(({ description }) => description))).toBe(markets.length);
  expect(distinct(markets.map(({ lookupTable }) => lookupTable))).toBe(markets.length);
  expect(markets.some(({ lookupTable }) => lookupTable === ZERO_ADDRESS)).toBe(false);
});

test('the main market is the only primary one', () => {
  expect(markets.filter(({ isPrimary }) => isPrimary)).toMatchObject([
    {
      address: '7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF',
      name: 'Main Market',
      lookupTable: 'FGMSBiyVE8TvZcdQnZETAAKw28tkQJ2ccZy6pyp95URb',
    },
  ]);
  expect(markets.filter(({ isCurated }) => isCurated).map(({ name }) => name)).toEqual([
    'GM-Sanctum',
    'GM-Solblaze',
    'Adrena Market',
    'Flash Trade Market',
  ]);
});

test.each([
  ['EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'USDC', 6],
  ['DEkqHyPN7GMRJ5cArtQFAWefqbZb33Hyf6s5iCwjEonT', 'USDe', 9],
  ['XsDoVfqeBukxuZHWhdvWHBhgEHjGNst4MLodqsJHzoB', 'TSLAx', 8],
  ['DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263', 'BONK', 5],
])('token %s is %s with %i decimals', (mint, symbol, decimals) => {
  expect(tokens.get(toAddress(mint))).toMatchObject({ symbol, decimals, verified: true });
});

test('no two verified tokens have the same symbol', () => {
  const symbols = [...tokens.values()].flatMap(({ verified, symbol }) =>
    verified ? [symbol.toLowerCase()] : [],
  );
  expect(symbols.filter((symbol, i) => symbols.indexOf(symbol) !== i)).toEqual([]);
});

test('stake pools are those of staked SOL tokens, one each', () => {
  expect(stakePools.get(toAddress('J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn'))).toBe(
    'Jito4APyf642JPZPx3hGc6WWJ8zPKtRbRs4P815Awbb',
  );
  expect(new Set(stakePools.values()).size).toBe(stakePools.size);
  const named = [...stakePools.keys()].flatMap((mint) => tokens.get(mint) ?? []);
  expect(named.filter(({ symbol, decimals }) => !/SOL$/.test(symbol) || decimals !== 9)).toEqual(
    [],
  );
});

test('it has the 170 vaults of August 2026, among them those of private credit', () => {
  expect(vaults.size).toBe(170);
  expect(vaults.has(toAddress('67dqmR76uAbjX6e81A1ganKv3ou31WUMEdeWJkwVfeXy'))).toBe(true);
  expect([...privateCreditVaults].filter((vault) => !vaults.has(vault))).toEqual([]);
});
