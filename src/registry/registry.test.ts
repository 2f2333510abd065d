import { expect, test } from 'vitest';
import { toAddress, ZERO_ADDRESS } from '../base/address.ts';
import { emptyRegistry, parseRegistry } from './registry.ts';

const MARKET = '7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF';
const PROGRAM = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD';

test('a market needs address, program and name; the rest has defaults', () => {
  const registry = parseRegistry(
    { markets: [{ address: MARKET, programId: PROGRAM, name: 'Main' }] },
    'test',
  );
  expect(registry.market(toAddress(MARKET))).toEqual({
    address: MARKET,
    programId: PROGRAM,
    name: 'Main',
    description: '',
    isPrimary: false,
    isCurated: false,
    lookupTable: ZERO_ADDRESS,
  });
});

test('markets are listed by the registry of their program, if it has one', () => {
  const registry = parseRegistry(
    { markets: [{ address: MARKET, programId: PROGRAM, name: 'Main' }] },
    'test',
  );
  expect(registry.listsMarkets(toAddress(PROGRAM))).toBe(true);
  expect(registry.listsMarkets(toAddress(MARKET))).toBe(false);
  expect(emptyRegistry.listsMarkets(toAddress(PROGRAM))).toBe(false);
});

test('the other parts are read by address', () => {
  const registry = parseRegistry(
    {
      seasons: ['Season1', 'Season2'],
      stakePools: { [MARKET]: PROGRAM },
      privateCreditVaults: [MARKET],
      tokenLabels: { [MARKET]: 'ABC' },
    },
    'test',
  );
  expect(registry.seasons).toEqual(['Season1', 'Season2']);
  expect(registry.stakePools.get(toAddress(MARKET))).toBe(PROGRAM);
  expect(registry.privateCreditVaults.has(toAddress(MARKET))).toBe(true);
  expect(registry.tokenLabels.get(toAddress(MARKET))).toBe('ABC');
});

test.each([
  ['not an object', [], 'the document must be an object'],
  ['a list that is none', { markets: {} }, 'markets must be a list'],
  [
    'a market without a name',
    { markets: [{ address: MARKET, programId: PROGRAM }] },
    'markets[0].name must be a text',
  ],
  [
    'a malformed address',
    { privateCreditVaults: ['x'] },
    'privateCreditVaults[0] must be an address',
  ],
  [
    'a flag that is a text',
    { markets: [{ address: MARKET, programId: PROGRAM, name: '', isPrimary: 'yes' }] },
    'markets[0].isPrimary must be true or false',
  ],
  ['a pool of a malformed mint', { stakePools: { x: MARKET } }, 'stakePools.x must be an address'],
])('%s is refused, and said where', (_, document, reason) => {
  expect(() => parseRegistry(document, 'facts.json')).toThrow(
    `The registry of facts.json is unusable: ${reason}.`,
  );
});
