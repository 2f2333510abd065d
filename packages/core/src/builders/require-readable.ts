import type { Address } from '../base/encoding/address.ts';
import type { ReserveView } from '../protocol/klend/layout/reserve.ts';
import type { ClusterReader } from '../state/cluster-reader.ts';
import { requireReservePrice } from '../views/lending/reserve-snapshot.ts';
import { unreadableError } from '../views/lending/unavailable-figures.ts';

/** Throws ACCOUNT_UNREADABLE for an account that exists but cannot be decoded. */
export function requireReadableAccount({ unreadable }: ClusterReader, address: Address): void {
  const found = unreadable.get(address);
  if (found !== undefined) throw unreadableError(address, found.reason);
}

/** Throws PRICE_UNAVAILABLE for a reserve that the lending program cannot refresh. */
export function requirePriceableReserve<
  Account extends { readonly address: Address; readonly fields: ReserveView },
>(state: ClusterReader, reserve: Account): Account {
  const { lending } = state.rulesAt(state.at().slot);
  requireReservePrice(reserve, (feed) => state.prices(feed), lending);
  return reserve;
}
