import type { Address } from '#core/base/encoding/address.ts';
import type { Ratio } from '#core/base/numbers/decimal.ts';
import { ratioOfSf } from '#core/base/numbers/ratio.ts';
import type { Sf } from '#core/base/numbers/scaled-fraction.ts';
import type { ChainTime } from '#core/base/time.ts';
import type { FarmStateView } from '#core/protocol/farms/layout/farm-state.ts';
import type { LendingMarketView } from '#core/protocol/klend/layout/lending-market.ts';
import type { Placed } from '#core/views/lending/market-snapshot.ts';
import {
  type HistoricalReserve,
  noPriceFeeds,
  withOraclePrice,
} from '#core/views/series/historical-market.ts';
import { createVaultReserveLookup } from '#core/views/vaults/vault-reserves.ts';
import type { VaultViewContext } from '#core/views/vaults/vault-snapshot.ts';

/** What was kept of everything that vaults were made of at a time. */
export type HistoricalVaultSource = {
  readonly at: ChainTime;
  /** How long slots took. */
  readonly slotMs: Ratio;
  readonly markets: readonly Placed<LendingMarketView>[];
  readonly reserves: readonly HistoricalReserve[];
  readonly farms: readonly Placed<FarmStateView>[];
  /** USD for a whole token, by mint. */
  readonly prices: ReadonlyMap<Address, Sf>;
};

/** Terms by which `vaultNow` and what is made of it tell a vault of an earlier time. */
export function historicalVaultContext({
  at,
  slotMs,
  prices,
  ...kept
}: HistoricalVaultSource): VaultViewContext {
  const markets = byAddress(kept.markets);
  const reserves = byAddress(kept.reserves.map(withOraclePrice));
  const farms = byAddress(kept.farms);
  const farm = (address: Address) => farms.get(address);
  const tokens = (mint: Address) => {
    const price = prices.get(mint);
    return price === undefined ? undefined : { symbol: '', price: ratioOfSf(price) };
  };
  const terms = { at, slotMs, prices: noPriceFeeds, tokens };
  const source = {
    at: () => at,
    slotMs: () => slotMs,
    market: (address: Address) => markets.get(address),
    reserve: (address: Address) => reserves.get(address),
    farm,
    prices: noPriceFeeds,
  };
  return { ...terms, farm, reserves: createVaultReserveLookup(source, terms) };
}

const byAddress = <Fields>(
  placed: readonly Placed<Fields>[],
): ReadonlyMap<Address, Placed<Fields>> =>
  new Map(placed.map((account) => [account.address, account]));
