import { expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import {
  pythAccountData,
  switchboardAccountData,
} from '../../../../../test/support/lending/oracle-accounts.ts';
import { releaseRules } from '../../../../../test/support/lending/release-rules.ts';
import { formatSf, sfFromInt } from '../../base/numbers/scaled-fraction.ts';
import { toSlot, toUnixSeconds } from '../../base/time.ts';
import {
  newestCandidate,
  type OracleCandidate,
  type OracleResult,
  readPythPrice,
  readSwitchboardPrice,
  ZERO_READING,
} from './oracles.ts';
import { NEWEST_LENDING_RULES } from './releases.ts';

const NOW = { slot: toSlot(1_000n), unix: toUnixSeconds(1_700_000_000n) };
const TERMS = { at: NOW, rules: NEWEST_LENDING_RULES };
const BEFORE_1_25 = releaseRules('1.24');

type PythChanges = Parameters<typeof pythAccountData>[0];

const pythResult = (
  change: PythChanges = {},
  { isTwapCompared = true, rules = NEWEST_LENDING_RULES } = {},
): OracleResult => readPythPrice(pythAccountData(change), { isTwapCompared, rules });

const switchboardResult = (
  change: Parameters<typeof switchboardAccountData>[0] = {},
  rules = NEWEST_LENDING_RULES,
): OracleResult => {
  const feeds = { price: switchboardAccountData(change), twap: undefined };
  return readSwitchboardPrice(feeds, { at: NOW, rules });
};

function candidate(result: OracleResult): OracleCandidate {
  if (result === undefined || result === ZERO_READING) throw new Error('no price');
  return result;
}

test('a Pyth account has a price and a moving average', () => {
  const found = candidate(pythResult());
  expect(found.unix).toBe(1_699_999_990n);
  expect(found.price && formatSf(found.price.price, 14)).toBe('150.12345677999');
  expect(found.twap?.price).toBe(sfFromInt(149n));
});

test.each([
  ['is verified in part', { level: 0 }],
  // 2 % of the price are 300246913.56
  ['is too uncertain', { conf: 300_246_914n }],
  ['has too uncertain an average', { emaConf: 298_000_001n }],
])('a Pyth price that %s is not used', (_, change) => {
  for (const isTwapCompared of [true, false]) {
    expect(pythResult(change, { isTwapCompared })).toBeUndefined();
  }
});

test('2 % are accepted from Pyth', () => {
  expect(pythResult({ conf: 300_246_913n, emaConf: 298_000_000n })).toBeDefined();
});

test('a Pyth price of zero is no reading, however uncertain; before release 1.25 it is not read', () => {
  const zero = { price: 0n, conf: 1n };
  expect(pythResult(zero)).toBe(ZERO_READING);
  expect(pythResult(zero, { isTwapCompared: false })).toBe(ZERO_READING);
  expect(pythResult(zero, { rules: BEFORE_1_25 })).toBeUndefined();
});

test('a moving average of zero matters only to a reserve that compares it', () => {
  const zero = { emaPrice: 0n };
  expect(pythResult(zero)).toBe(ZERO_READING);
  const found = candidate(pythResult(zero, { isTwapCompared: false }));
  expect(found.price && formatSf(found.price.price, 14)).toBe('150.12345677999');
  const before = { isTwapCompared: false, rules: BEFORE_1_25 };
  expect(pythResult(zero, before)).toBeUndefined();
});

test('a negative Pyth price panics; before release 1.25 it is not read', () => {
  for (const change of [{ price: -1n }, { emaPrice: -1n }]) {
    expect(catchError(() => pythResult(change))?.code).toBe('MALFORMED_DATA');
    expect(pythResult(change, { rules: BEFORE_1_25 })).toBeUndefined();
  }
});

test('other accounts have no price', () => {
  const terms = { isTwapCompared: true, rules: NEWEST_LENDING_RULES };
  expect(readPythPrice(new Uint8Array(134), terms)).toBeUndefined();
  expect(readPythPrice(pythAccountData().subarray(0, 120), terms)).toBeUndefined();
  const other = { price: new Uint8Array(3_208), twap: undefined };
  expect(readSwitchboardPrice(other, TERMS)).toBeUndefined();
});

test('the time of a Switchboard price follows from its slot', () => {
  const found = switchboardResult();
  // 25 slots of 400 ms
  expect(found).toEqual({
    unix: 1_699_999_990n,
    price: { price: sfFromInt(150n), unix: 1_699_999_990n },
    twap: undefined,
  });
});

test('a Switchboard price has its mean from another feed', () => {
  const twap = switchboardAccountData({ value: 149n * 10n ** 18n });
  const price = switchboardAccountData();
  const found = candidate(readSwitchboardPrice({ price, twap }, TERMS));
  expect(found.twap?.price).toBe(sfFromInt(149n));
  const none = { price, twap: new Uint8Array(3_208) };
  expect(readSwitchboardPrice(none, TERMS)).toBeUndefined();
});

test('a Switchboard price without a slot or below zero is not used', () => {
  for (const change of [{ slot: 0n }, { value: -5n }, { deviation: -1n }]) {
    expect(switchboardResult(change)).toBeUndefined();
  }
});

test('a Switchboard price or mean of zero is no reading; before release 1.25 it is not read', () => {
  const zero = { value: 0n, deviation: 5n };
  expect(switchboardResult(zero)).toBe(ZERO_READING);
  expect(switchboardResult(zero, BEFORE_1_25)).toBeUndefined();
  const feeds = { price: switchboardAccountData(), twap: switchboardAccountData(zero) };
  expect(readSwitchboardPrice(feeds, TERMS)).toBe(ZERO_READING);
  expect(readSwitchboardPrice(feeds, { ...TERMS, rules: BEFORE_1_25 })).toBeUndefined();
});

test('the newest oracle counts, even if it is too uncertain to use', () => {
  const pyth = pythResult();
  const feeds = (deviation: bigint, slot: bigint) => ({
    price: switchboardAccountData({ deviation, slot }),
    twap: undefined,
  });
  const same = readSwitchboardPrice(feeds(10n ** 18n, 975n), TERMS);
  expect(newestCandidate([pyth, same])).toBe(pyth);
  const newer = readSwitchboardPrice(feeds(10n ** 18n, 990n), TERMS);
  expect(newestCandidate([pyth, newer, undefined])).toBe(newer);
  // 3 of 150 are exactly 2 %, which Switchboard prices must be below
  const uncertain = readSwitchboardPrice(feeds(3n * 10n ** 18n, 990n), TERMS);
  expect(newestCandidate([pyth, uncertain])).toEqual({
    unix: 1_699_999_996n,
    price: undefined,
    twap: undefined,
  });
  expect(newestCandidate([undefined])).toBeUndefined();
});

test('an oracle that reports zero is passed over, whatever its time', () => {
  const switchboard = switchboardResult({ slot: 900n });
  expect(newestCandidate([ZERO_READING, switchboard, undefined])).toBe(switchboard);
  expect(newestCandidate([ZERO_READING, ZERO_READING, undefined])).toBeUndefined();
});
