import { expect, test } from 'vitest';
import {
  pythAccountData,
  switchboardAccountData,
} from '../../../../../../test/support/lending/oracle-accounts.ts';
import { formatSf, sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import { toSlot, toUnixSeconds } from '../../../base/time.ts';
import { newestCandidate } from './oracle-candidate.ts';
import { readPythPrice } from './pyth-price.ts';
import { readSwitchboardPrice } from './switchboard-price.ts';

const NOW = { slot: toSlot(1_000n), unix: toUnixSeconds(1_700_000_000n) };

test('a Pyth account has a price and a moving average', () => {
  const found = readPythPrice(pythAccountData());
  expect(found?.unix).toBe(1_699_999_990n);
  expect(found?.price && formatSf(found.price.price, 14)).toBe('150.12345677999');
  expect(found?.twap?.price).toBe(sfFromInt(149n));
});

test.each([
  ['is verified in part', { level: 0 }],
  ['is zero', { price: 0n }],
  ['is negative', { price: -1n }],
  // 2 % of the price are 300246913.56
  ['is too uncertain', { conf: 300_246_914n }],
  ['has too uncertain an average', { emaConf: 298_000_001n }],
])('a Pyth price that %s is not used', (_, change) => {
  expect(readPythPrice(pythAccountData(change))).toBeUndefined();
});

test('2 % are accepted from Pyth', () => {
  expect(
    readPythPrice(pythAccountData({ conf: 300_246_913n, emaConf: 298_000_000n })),
  ).toBeDefined();
});

test('other accounts have no price', () => {
  expect(readPythPrice(new Uint8Array(134))).toBeUndefined();
  expect(readPythPrice(pythAccountData().subarray(0, 120))).toBeUndefined();
  const other = { price: new Uint8Array(3_208), twap: undefined };
  expect(readSwitchboardPrice(other, NOW)).toBeUndefined();
});

test('the time of a Switchboard price follows from its slot', () => {
  const found = readSwitchboardPrice({ price: switchboardAccountData(), twap: undefined }, NOW);
  // 25 slots of 400 ms
  expect(found).toEqual({
    unix: 1_699_999_990n,
    price: { price: sfFromInt(150n), unix: 1_699_999_990n },
    twap: undefined,
  });
});

test('a Switchboard price has its mean from another feed', () => {
  const twap = switchboardAccountData({ value: 149n * 10n ** 18n });
  const found = readSwitchboardPrice({ price: switchboardAccountData(), twap }, NOW);
  expect(found?.twap?.price).toBe(sfFromInt(149n));
  const none = { price: switchboardAccountData(), twap: new Uint8Array(3_208) };
  expect(readSwitchboardPrice(none, NOW)).toBeUndefined();
});

test('a Switchboard price without a slot or above zero is not used', () => {
  for (const change of [{ slot: 0n }, { value: 0n }, { value: -5n }]) {
    const feeds = { price: switchboardAccountData(change), twap: undefined };
    expect(readSwitchboardPrice(feeds, NOW)).toBeUndefined();
  }
});

test('the newest oracle counts, even if it is too uncertain to use', () => {
  const pyth = readPythPrice(pythAccountData());
  const feeds = (deviation: bigint, slot: bigint) => ({
    price: switchboardAccountData({ deviation, slot }),
    twap: undefined,
  });
  const same = readSwitchboardPrice(feeds(10n ** 18n, 975n), NOW);
  expect(newestCandidate([pyth, same])).toBe(pyth);
  const newer = readSwitchboardPrice(feeds(10n ** 18n, 990n), NOW);
  expect(newestCandidate([pyth, newer, undefined])).toBe(newer);
  // 3 of 150 are exactly 2 %, which Switchboard prices must be below
  const uncertain = readSwitchboardPrice(feeds(3n * 10n ** 18n, 990n), NOW);
  expect(newestCandidate([pyth, uncertain])).toEqual({
    unix: 1_699_999_996n,
    price: undefined,
    twap: undefined,
  });
  expect(newestCandidate([undefined])).toBeUndefined();
});
