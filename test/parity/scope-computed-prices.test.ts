import { expect, test } from 'vitest';
import { type ChainTime, toSlot } from '#core/base/time.ts';
import { oracleMappings } from '#core/protocol/scope/layout/configuration.ts';
import { oraclePrices } from '#core/protocol/scope/layout/oracle-prices.ts';
import { computedPrice } from '#core/protocol/scope/math/computed-price.ts';
import { computedSettings } from '#core/protocol/scope/math/computed-settings.ts';
import { mappingEntry } from '#core/protocol/scope/math/mapping-entry.ts';
import { oracleTypeName } from '#core/protocol/scope/oracle-types.ts';
import { mainnetAccounts } from '../support/mainnet/mainnet-fixtures.ts';

const accounts = mainnetAccounts();

function mappingsOf(address: string, date: string | null) {
  const found = accounts.find((each) => each.address === address && each.date === date);
  if (found === undefined) throw new Error(`no account ${address}`);
  return oracleMappings.view(found);
}

/** The feed that the markets use today. */
const newer = mappingsOf('4zh6bmb77qX2CL7t5AJYCqa6YqFafbz3QJNeFvZjLowg', '2026-07-21');
/** The feed of the recorded prices of August 2025. */
const older = mappingsOf('Chpu5ZgfWX5ZzVpUx9Xvv4WPM75Xd7zPJNDPsFnCpLpk', null);

const settingsAt = (mappings: typeof newer, index: number) => {
  const generic = mappings.generic.at(index) ?? new Uint8Array();
  return computedSettings(mappingEntry(mappings, index).oracleType, generic);
};

// From the published configuration of the feed.
test.each([
  [3, 'MostRecentOf', { sources: [1, 2], maxAgeSeconds: 7_200n, maxDivergenceBps: 1_600 }],
  [12, 'FixedPrice', { price: { value: 10n ** 12n, exp: 12n } }],
  [13, 'CappedFloored', { source: 9, cap: 12, floor: 189 }],
  [160, 'DiscountToMaturity', { discountPerYearBps: 2_500, maturity: 1_765_385_899n }],
  [440, 'Conditional', { condition: 'WithinRangeBps', sources: [432, 433], toleranceBps: 100 }],
  [449, 'MultiplicationChain', { sources: [447, 448], maxAgeSeconds: 60n }],
] as const)('entry %i of the recorded feed is a %s with its settings', (index, name, settings) => {
  expect(oracleTypeName(mappingEntry(newer, index).oracleType)).toBe(name);
  expect(settingsAt(newer, index)).toMatchObject(settings);
});

test('all entries of the recorded feeds have known types and settings', () => {
  for (const mappings of [newer, older]) {
    for (let index = 0; index < 512; index++) {
      expect(oracleTypeName(mappingEntry(mappings, index).oracleType)).toBeDefined();
      expect(() => settingsAt(mappings, index)).not.toThrow();
    }
  }
});

const recorded = accounts.find(
  ({ kind, slot }) => kind === 'scope-OraclePrices' && slot === 358_747_417,
);
if (recorded === undefined) throw new Error('the prices are missing');
const { prices } = oraclePrices.view(recorded);

/** Computes an entry at the time at which the chain has written it. */
function computedAt(index: number) {
  const stored = prices.at(index);
  if (stored === undefined) throw new Error(`no entry ${index}`);
  const time: ChainTime = { slot: toSlot(stored.lastUpdatedSlot), unix: stored.unixTimestamp };
  const feed = { prices, mappings: older, twaps: [] };
  const { price, unixTimestamp, lastUpdatedSlot } = computedPrice(feed, index, time) ?? {};
  return {
    ours: [price?.value, price?.exp, unixTimestamp, lastUpdatedSlot],
    theirs: [stored.price.value, stored.price.exp, stored.unixTimestamp, stored.lastUpdatedSlot],
  };
}

test.each([3, 5, 19, 55, 57, 191, 449])('the fixed price %i is as recorded', (index) => {
  const { ours, theirs } = computedAt(index);
  expect(ours).toEqual(theirs);
});

test.each([202, 217, 220, 223, 261, 279, 321, 330, 332, 333])(
  'the discounted price %i is as recorded',
  (index) => {
    const { ours, theirs } = computedAt(index);
    expect(ours).toEqual(theirs);
  },
);

// The sources of the other four have changed since they were computed.
test.each([242, 244, 246, 326])('the newest source of entry %i is as recorded', (index) => {
  const { ours, theirs } = computedAt(index);
  expect(ours).toEqual(theirs);
});
