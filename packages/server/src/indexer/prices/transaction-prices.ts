import { type Address, ONE_SF, type Sf, sfFromBits } from '@tidegate/core/base';
import { WRAPPED_SOL_MINT } from '@tidegate/core/protocol/spl';
import type { LoggedPrice, OwnerLookup } from '@tidegate/core/views/transactions';
import type { HistoricalPrices } from './historical-prices.ts';

/** Of a logged price. */
const UNITS_PER_DOLLAR = 10_000n;

/**
 * Prices for the events of one transaction: those that the lending program used in it, else those of its time. A log has
 * four decimals, so a price of the time that agrees with it is more exact.
 */
export function transactionPrices(
  logged: readonly LoggedPrice[],
  prices: HistoricalPrices,
  owners: Pick<OwnerLookup, 'mintOfReserve'>,
): HistoricalPrices {
  if (logged.length === 0) return prices;
  const units = unitsByMint(logged, owners);
  const priceAt: HistoricalPrices['priceAt'] = (mint, at) => {
    const known = prices.priceAt(mint, at);
    const used = units.get(mint);
    // four decimals alone are no price: of a cheap token they are a wrong one
    if (known === undefined || used === undefined || agrees(known, used)) return known;
    return sfFromBits((used * ONE_SF) / UNITS_PER_DOLLAR);
  };
  return { ...prices, priceAt, solPriceAt: (at) => priceAt(WRAPPED_SOL_MINT, at) };
}

/** By token. Without tokens whose reserves have different prices. */
function unitsByMint(
  logged: readonly LoggedPrice[],
  owners: Pick<OwnerLookup, 'mintOfReserve'>,
): ReadonlyMap<Address, bigint> {
  // of several refreshes of a reserve the last one counts
  const byReserve = new Map(logged.map((each) => [each.reserve, each.tenThousandths]));
  const byMint = new Map<Address, Set<bigint>>();
  for (const [reserve, price] of byReserve) {
    const mint = owners.mintOfReserve(reserve);
    if (mint !== undefined) byMint.set(mint, (byMint.get(mint) ?? new Set()).add(price));
  }
  return new Map(
    [...byMint].flatMap(([mint, [price, ...others]]) =>
      price === undefined || others.length > 0 ? [] : [[mint, price] as const],
    ),
  );
}

/** Whether the price rounds to the logged one. The program rounds with half of the fraction bits. */
function agrees(price: Sf, units: bigint): boolean {
  const difference = price * UNITS_PER_DOLLAR - units * ONE_SF;
  const distance = difference < 0n ? -difference : difference;
  return distance * 100n <= ONE_SF * 51n;
}
