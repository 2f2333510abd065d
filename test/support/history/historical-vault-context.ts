import type { Address } from '#core/base/encoding/address.ts';
import type { Ratio } from '#core/base/numbers/decimal.ts';
import { ratioOfSf } from '#core/base/numbers/ratio.ts';
import type { Sf } from '#core/base/numbers/scaled-fraction.ts';
import type { ChainTime } from '#core/base/time.ts';
import type { FarmStateView } from '#core/protocol/farms/layout/farm-state.ts';
import type { LendingMarketView } from '#core/protocol/klend/layout/lending-market.ts';
import type { Placed } from '#core/views/lending/market-snapshot.ts';
import { atOraclePrice, noFeeds, type PastReserve } from '#core/views/series/historical-market.ts';
import { createVaultReserves } from '#core/views/vaults/vault-reserves.ts';
import type { VaultTerms } from '#core/views/vaults/vault-snapshot.ts';

/** What was kept of everything that vaults were made of at a time. */
export type PastVaultSource = {
  readonly at: ChainTime;
  /** How long slots took. */
  readonly slotMs: Ratio;
  readonly markets: readonly Placed<LendingMarketView>[];
  readonly reserves: readonly PastReserve[];
  readonly farms: readonly Placed<FarmStateView>[];
  /** USD for a whole token, by mint. */
  readonly prices: ReadonlyMap<Address, Sf>;
};

/** Terms by which `vaultNow` and what is made of it tell a vault of an earlier time. */
export function pastVaultTerms({ at, slotMs, prices, ...kept }: PastVaultSource): VaultTerms {
  const markets = byAddress(kept.markets);
  const reserves = byAddress(kept.reserves.map(atOraclePrice));
  const farms = byAddress(kept.farms);
  const farm = (address: Address) => farms.get(address);
  const tokens = (mint: Address) => {
    const price = prices.get(mint);
    return price === undefined ? undefined : { symbol: '', price: ratioOfSf(price) };
  };
  const terms = { at, slotMs, prices: noFeeds, tokens };
  const source = {
    at: () => at,
    slotMs: () => slotMs,
    market: (address: Address) => markets.get(address),
    reserve: (address: Address) => reserves.get(address),
    farm,
    prices: noFeeds,
  };
  return { ...terms, farm, reserves: createVaultReserves(source, terms) };
}

const byAddress = <Fields>(
  placed: readonly Placed<Fields>[],
): ReadonlyMap<Address, Placed<Fields>> =>
  new Map(placed.map((account) => [account.address, account]));
