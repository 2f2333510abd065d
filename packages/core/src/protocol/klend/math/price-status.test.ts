import { expect, test } from 'vitest';
import { exampleReserve, NOW } from '../../../../../../test/support/lending/lending-accounts.ts';
import { ONE_SF, sfFromBits } from '../../../base/numbers/scaled-fraction.ts';
import { toUnixSeconds } from '../../../base/time.ts';
import { isPriceReloadDue, isStoredPriceFresh, priceStatus } from './price-status.ts';

const tokenInfo = exampleReserve().config.tokenInfo;
const ago = (seconds: bigint) => toUnixSeconds(NOW - seconds);
const price = { price: ONE_SF, unix: ago(10n) };
const status = (info: Partial<typeof tokenInfo>, reading = {}) =>
  priceStatus({ ...tokenInfo, ...info }, { price, twap: undefined, now: NOW, ...reading });

test('a recent price without further rules passes all six checks', () => {
  expect(status({})).toBe(63);
});

test('a price is too old one second after the maximum age', () => {
  expect(status({}, { price: { ...price, unix: ago(60n) } })).toBe(63);
  expect(status({}, { price: { ...price, unix: ago(61n) } })).toBe(63 - 2);
});

test('a missing TWAP fails both TWAP checks if a TWAP is required', () => {
  expect(status({ maxTwapDivergenceBps: 500n })).toBe(63 - 4 - 8);
});

test('a TWAP must be within the tolerance and recent', () => {
  const info = { maxTwapDivergenceBps: 500n, maxAgeTwapSeconds: 240n };
  const twap = (bits: bigint, age: bigint) => ({
    twap: { price: sfFromBits(bits), unix: ago(age) },
  });
  const at20000 = { price: { ...price, price: sfFromBits(20_000n) } };
  expect(status(info, { ...at20000, ...twap(19_000n, 240n) })).toBe(63 - 4);
  expect(status(info, { ...at20000, ...twap(19_001n, 240n) })).toBe(63);
  expect(status(info, twap(ONE_SF, 241n))).toBe(63 - 8);
});

test('bounds are inclusive, and 0 is no bound', () => {
  const bounds = (lower: bigint, upper: bigint) => ({ heuristic: { lower, upper, exp: 2n } });
  expect(status(bounds(100n, 100n))).toBe(63);
  expect(status(bounds(101n, 0n))).toBe(63 - 16);
  expect(status(bounds(0n, 99n))).toBe(63 - 16);
});

test('blocked usage fails the last check', () => {
  expect(status({ blockPriceUsage: 1 })).toBe(63 - 32);
});

test('a reload is due after a part of the maximum age', () => {
  const at = (seconds: bigint) => {
    const reserve = exampleReserve();
    return {
      ...reserve,
      liquidity: { ...reserve.liquidity, marketPriceLastUpdatedTs: ago(seconds) },
    };
  };
  expect(isPriceReloadDue(at(29n), 50, NOW)).toBe(false);
  expect(isPriceReloadDue(at(30n), 50, NOW)).toBe(true);
  expect(isStoredPriceFresh(at(59n), NOW)).toBe(true);
  expect(isStoredPriceFresh(at(60n), NOW)).toBe(false);
});
