import { expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import {
  emptyMarket,
  exampleReserve,
  MARKET,
  NOW,
  SLOT,
  SOL_RESERVE,
  USDC_RESERVE,
} from '../../../../../test/support/lending/lending-accounts.ts';
import { toAddress } from '../../base/encoding/address.ts';
import { sfFromBits } from '../../base/numbers/scaled-fraction.ts';
import { toSlot } from '../../base/time.ts';
import type { Reserve } from '../../protocol/klend/layout/reserve.ts';
import { NEWEST_LENDING_RULES } from '../../protocol/klend/releases.ts';
import type { DatedPrice } from '../../protocol/scope/layout/oracle-prices.ts';
import { requireReserveSnapshot, snapshotMarket } from './market-snapshot.ts';

const FEED = toAddress('3NJYftD5sjVfxSnUdZ1wVML8f3aC6mp1CXCL6L7TnU8C');
const OTHER_RESERVE = toAddress('H3t6qZ1JkguCNTi9uzVKqQ7dvt2cum4XiXWom6Gn5e5S');

/** A price with 40 decimals, which overflows in the lending program. */
const overflowing: DatedPrice = {
  price: { value: 1n, exp: 40n },
  lastUpdatedSlot: SLOT,
  unixTimestamp: NOW,
  genericData: new Uint8Array(24),
};

function withFeed(reserve: Reserve): Reserve {
  const { tokenInfo } = reserve.config;
  const priceChain = [1, 65535, 65535, 65535];
  const scopeConfiguration = { ...tokenInfo.scopeConfiguration, priceFeed: FEED, priceChain };
  return {
    ...reserve,
    config: { ...reserve.config, tokenInfo: { ...tokenInfo, scopeConfiguration } },
  };
}

/** The debt is half of what 128 bits hold, so the interest of 16 years overflows. */
const withHugeDebt = (reserve: Reserve): Reserve => ({
  ...reserve,
  liquidity: { ...reserve.liquidity, borrowedAmountSf: sfFromBits(2n ** 127n) },
});

const snapshot = (reserves: Readonly<Record<string, Reserve>>, unreadable = {}) =>
  snapshotMarket({
    market: { address: MARKET, fields: emptyMarket() },
    reserves: Object.entries(reserves).map(([key, fields]) => ({
      address: toAddress(key),
      fields,
    })),
    prices: (feed) => (feed === FEED ? [overflowing, overflowing] : undefined),
    at: { slot: toSlot(SLOT + 10n ** 9n), unix: NOW },
    slotMs: { numerator: 400n, denominator: 1n },
    rules: NEWEST_LENDING_RULES,
    ...unreadable,
  });

test('a reserve whose price overflows does not affect its neighbours', () => {
  const reserve = exampleReserve();
  const market = snapshot({ [USDC_RESERVE]: reserve, [SOL_RESERVE]: withFeed(reserve) });
  expect([...market.reserves.keys()]).toEqual([USDC_RESERVE]);
  const alone = snapshot({ [USDC_RESERVE]: reserve });
  expect(market.reserves.get(USDC_RESERVE)).toEqual(alone.reserves.get(USDC_RESERVE));
  const error = catchError(() => requireReserveSnapshot(market, SOL_RESERVE));
  expect(error?.code).toBe('PRICE_UNAVAILABLE');
  expect(error?.message).toContain(SOL_RESERVE);
  expect(error?.message).toContain('40 decimals');
});

test('a reserve whose interest overflows is unreadable, with the reason', () => {
  const reserve = exampleReserve();
  const market = snapshot({ [USDC_RESERVE]: reserve, [SOL_RESERVE]: withHugeDebt(reserve) });
  expect([...market.reserves.keys()]).toEqual([USDC_RESERVE]);
  const error = catchError(() => requireReserveSnapshot(market, SOL_RESERVE));
  expect(error?.code).toBe('ACCOUNT_UNREADABLE');
  expect(error?.message).toContain('128 bits');
});

test('an undecodable reserve has the reason of the decoder, an unknown one says so', () => {
  const unreadable = [{ address: SOL_RESERVE, reason: 'It has version 9.' }];
  const market = snapshot({ [USDC_RESERVE]: exampleReserve() }, { unreadable });
  const messageOf = (address: typeof MARKET) =>
    catchError(() => requireReserveSnapshot(market, address))?.message;
  expect(messageOf(SOL_RESERVE)).toBe(
    `The account ${SOL_RESERVE} cannot be read: It has version 9. /status lists such accounts.`,
  );
  expect(messageOf(OTHER_RESERVE)).toContain(`it is not a known reserve of the market ${MARKET}`);
});
