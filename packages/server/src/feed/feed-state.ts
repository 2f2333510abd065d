import type { Address, ChainTime, Ratio, Slot } from '@tidegate/core/base';
import type { ProgramRules } from '@tidegate/core/protocol/releases';
import { type ClusterReader, ClusterState, type StatePart } from '@tidegate/core/state';

/**
 * The state that readers of a feed see. A new snapshot replaces the whole state at once, and versions go on increasing,
 * so that nothing that was cached for the state before is valid for the new one.
 */
export class FeedState implements ClusterReader {
  #state: ClusterState;
  #offset = 0;

  constructor({ log, rulesAt }: ConstructorParameters<typeof ClusterState>[0]) {
    this.#state = new ClusterState({ log, rulesAt });
  }

  replace(state: ClusterState): void {
    this.#offset += this.#state.version() + 1;
    this.#state = state;
  }

  /** Call it when `rulesAt` has other rules: what was computed with the former ones is no longer valid. */
  countNewRules(): void {
    this.#offset += 1;
  }

  statistics = () => this.#state.statistics();
  version = (): number => this.#offset + this.#state.version();
  // no part has changed more often than the whole
  versionOf = (part: StatePart): number => this.#offset + this.#state.versionOf(part);
  at = (): ChainTime => this.#state.at();
  slotMs = (): Ratio => this.#state.slotMs();
  rulesAt = (slot: Slot): ProgramRules => this.#state.rulesAt(slot);

  get unreadable() {
    return this.#state.unreadable;
  }

  get unknownValues() {
    return this.#state.unknownValues;
  }

  markets = () => this.#state.markets();
  market = (address: Address) => this.#state.market(address);
  reserve = (address: Address) => this.#state.reserve(address);
  reservesOf = (market: Address) => this.#state.reservesOf(market);
  obligation = (address: Address) => this.#state.obligation(address);
  obligationsOf = (owner: Address) => this.#state.obligationsOf(owner);
  obligationsIn = (market: Address, after = -1) =>
    this.#state.obligationsIn(market, after - this.#offset);
  withdrawTicketsIn = (reserve: Address) => this.#state.withdrawTicketsIn(reserve);
  withdrawTicketsOf = (owner: Address) => this.#state.withdrawTicketsOf(owner);
  vaults = () => this.#state.vaults();
  vault = (address: Address) => this.#state.vault(address);
  vaultOfShares = (sharesMint: Address) => this.#state.vaultOfShares(sharesMint);
  shareBalances = (sharesMint: Address) => this.#state.shareBalances(sharesMint);
  shareBalance = (sharesMint: Address, owner: Address) =>
    this.#state.shareBalance(sharesMint, owner);
  shareOwners = (sharesMint: Address) => this.#state.shareOwners(sharesMint);
  farm = (address: Address) => this.#state.farm(address);
  farmsConfig = (address: Address) => this.#state.farmsConfig(address);
  farmUser = (farm: Address, delegatee: Address) => this.#state.farmUser(farm, delegatee);
  farmUserAt = (address: Address) => this.#state.farmUserAt(address);
  farmUsersOf = (owner: Address) => this.#state.farmUsersOf(owner);
  farmUsersIn = (farm: Address) => this.#state.farmUsersIn(farm);
  lookupTable = (address: Address) => this.#state.lookupTable(address);
  lookupTables = () => this.#state.lookupTables();
  prices = (feed: Address) => this.#state.prices(feed);
}
