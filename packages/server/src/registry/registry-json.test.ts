import { expect, test } from 'vitest';
import { mainnetRegistry } from './mainnet/mainnet-registry.ts';
import { parseRegistry, type Registry } from './registry.ts';
import { registryJson } from './registry-json.ts';

const VAULT = '7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF';

const sectionsOf = ({ market: _market, listsMarkets: _lists, ...sections }: Registry) => sections;
const reparse = (registry: Registry) =>
  parseRegistry(JSON.parse(JSON.stringify(registryJson(registry))), 'printed');

test('the printed built-in registry parses to the same registry', () => {
  expect(sectionsOf(reparse(mainnetRegistry))).toEqual(sectionsOf(mainnetRegistry));
});

test('printed seasons keep all digits and times', () => {
  const registry = parseRegistry(
    {
      tokenLabels: { [VAULT]: 'ABC' },
      seasons: [
        {
          source: 'Season1',
          start: '2026-01-01',
          end: '2026-02-01T12:00:01Z',
          maxBoost: '1.5',
          rewards: [
            { vault: VAULT, rewardToken: VAULT, tokensPerSecond: '0.000000012345678901234567891' },
          ],
          boosts: [{ wallet: VAULT, stakingBoost: '0.3', from: '2026-01-05' }],
        },
      ],
    },
    'x',
  );
  expect(sectionsOf(reparse(registry))).toEqual(sectionsOf(registry));
  expect(registryJson(registry)).toMatchObject({
    seasons: [
      {
        start: '2026-01-01T00:00:00.000Z',
        end: '2026-02-01T12:00:01.000Z',
        rewards: [{ tokensPerSecond: '0.000000012345678901234567891' }],
      },
    ],
  });
});
