import { expect, test } from 'vitest';
import { listRegistryProblems } from './check-registry.ts';

const MARKET = '7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF';
const PROGRAM = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD';

test('a valid document has no problems', () => {
  const markets = [{ address: MARKET, programId: PROGRAM, name: 'Main' }];
  expect(listRegistryProblems({ $schema: 'registry.schema.json', markets })).toEqual([]);
});

test('every problem is listed with its path', () => {
  const document = {
    markets: [{ address: 'x', programId: PROGRAM, name: '', isPrimary: 1 }, 5],
    tokens: [{ mint: MARKET, symbol: 'ABC', decimals: 6.5, volume: 1 }],
    stakePools: { [MARKET]: 'y' },
    vaults: [MARKET, 'v'],
    privateCreditVaults: 'none',
    seasons: [
      {
        source: 'Season1',
        start: '2026-01-01',
        end: 'soon',
        rewards: [{ vault: MARKET, rewardToken: 'z', tokensPerSecond: 5 }],
      },
    ],
  };
  const problems = listRegistryProblems(document).map(({ at, reason }) => `${at} ${reason}`);
  expect(problems).toEqual([
    'markets[0].address must be an address',
    'markets[0].name must have 1 to 256 characters',
    'markets[0].isPrimary must be true or false',
    'markets[1] must be an object',
    'tokens[0].volume is unknown; known fields: mint, symbol, name, decimals, logoUrl, verified, priority',
    'tokens[0].decimals must be a whole number from 0 to 255',
    'seasons[0].end must be a date like "2026-01-31" or "2026-01-31T12:00:00Z", or epoch milliseconds',
    'seasons[0].rewards[0].tokensPerSecond must be a non-negative decimal string such as "0.25"',
    'seasons[0].rewards[0].rewardToken must be an address',
    `stakePools.${MARKET} must be an address`,
    'vaults[1] must be an address',
    'privateCreditVaults must be an array',
  ]);
});

test('a problem of a field is not repeated as a problem of the same field or of its object', () => {
  const reward = { vault: MARKET, rewardToken: MARKET, tokensPerSecond: '1', to: 'soon' };
  const season = { source: 'S', start: '2026-01-01', end: '2026-02-01', rewards: [reward] };
  expect(listRegistryProblems({ seasons: [season] }).map(({ at }) => at)).toEqual([
    'seasons[0].rewards[0].to',
  ]);
  expect(listRegistryProblems({ tokens: [{ mint: MARKET, decimals: 6 }] })).toEqual([
    { at: 'tokens[0].symbol', reason: 'must be a string' },
  ]);
});

test('a document that is not an object has one problem', () => {
  expect(listRegistryProblems([])).toEqual([{ at: '', reason: 'must be an object' }]);
});
