import type { Address } from '../../base/encoding/address.ts';
import { type Reserve, reserve as reserveLayout } from '../../protocol/klend/layout/reserve.ts';
import type { ClusterReader } from '../../state/cluster-reader.ts';

/** The state as if reserves had changed. Only their content is replaced; versions and the slot stay. */
export function withReserves(
  state: ClusterReader,
  changed: ReadonlyMap<Address, Reserve>,
): ClusterReader {
  if (changed.size === 0) return state;
  type Stored = NonNullable<ReturnType<ClusterReader['reserve']>>;
  const replaced = new Map<Address, Stored>();
  for (const [address, fields] of changed) {
    const stored = state.reserve(address);
    if (stored === undefined) continue;
    const { program } = stored;
    const data = reserveLayout.encode(fields);
    replaced.set(address, {
      address,
      program,
      data,
      fields: reserveLayout.view({ owner: program, data }),
    });
  }
  return {
    ...delegateTo(state),
    reserve: (address) => replaced.get(address) ?? state.reserve(address),
    reservesOf: (market) =>
      state.reservesOf(market).map((stored) => replaced.get(stored.address) ?? stored),
  };
}

/** Methods of a class are not enumerable, so each is named. */
const delegateTo = (state: ClusterReader): ClusterReader => ({
  version: () => state.version(),
  versionOf: (part) => state.versionOf(part),
  at: () => state.at(),
  slotMs: () => state.slotMs(),
  rulesAt: (slot) => state.rulesAt(slot),
  unreadable: state.unreadable,
  unknownValues: state.unknownValues,
  markets: () => state.markets(),
  market: (address) => state.market(address),
  reserve: (address) => state.reserve(address),
  reservesOf: (market) => state.reservesOf(market),
  obligation: (address) => state.obligation(address),
  obligationsOf: (owner) => state.obligationsOf(owner),
  obligationsIn: (market, after) => state.obligationsIn(market, after),
  withdrawTicketsIn: (reserve) => state.withdrawTicketsIn(reserve),
  withdrawTicketsOf: (owner) => state.withdrawTicketsOf(owner),
  vaults: () => state.vaults(),
  vault: (address) => state.vault(address),
  vaultOfShares: (mint) => state.vaultOfShares(mint),
  shareBalances: (mint) => state.shareBalances(mint),
  shareBalance: (mint, owner) => state.shareBalance(mint, owner),
  shareOwners: (mint) => state.shareOwners(mint),
  farm: (address) => state.farm(address),
  farmsConfig: (address) => state.farmsConfig(address),
  farmUser: (farm, delegatee) => state.farmUser(farm, delegatee),
  farmUserAt: (address) => state.farmUserAt(address),
  farmUsersOf: (owner) => state.farmUsersOf(owner),
  farmUsersIn: (farm) => state.farmUsersIn(farm),
  lookupTable: (address) => state.lookupTable(address),
  lookupTables: () => state.lookupTables(),
  prices: (feed) => state.prices(feed),
});
