import type { Address } from '#core/base/encoding/address.ts';
import type { LendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import type { Reserve } from '#core/protocol/klend/layout/reserve.ts';
import { NEWEST_LENDING_RULES } from '#core/protocol/klend/releases.ts';
import { type MarketSnapshot, snapshotMarket } from '#core/views/lending/market-snapshot.ts';
import { emptyMarket, exampleReserves, MARKET, NOW, SLOT } from './lending-accounts.ts';

type Changes = {
  readonly market?: LendingMarket;
  readonly reserves?: ReadonlyMap<Address, Reserve>;
};

/** The example market at the slot of the examples, with stored prices. */
export function exampleMarket({ market = emptyMarket(), reserves }: Changes = {}): MarketSnapshot {
  return snapshotMarket({
    market: { address: MARKET, fields: market },
    reserves: [...(reserves ?? exampleReserves())].map(([address, fields]) => ({
      address,
      fields,
    })),
    prices: () => undefined,
    at: { slot: SLOT, unix: NOW },
    slotMs: { numerator: 400n, denominator: 1n },
    rules: NEWEST_LENDING_RULES,
  });
}
