import {
  type Address,
  type ChainTime,
  type KeyedAccount,
  type Logger,
  type Slot,
  toSlot,
} from '@tidegate/core/base';
import { KLEND_PROGRAMS, type LendingRules } from '@tidegate/core/protocol/klend';
import { lendingMarket, reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import { type OracleReading, refreshReserve } from '@tidegate/core/protocol/klend/operations';
import type { RulesAt } from '@tidegate/core/protocol/releases';
import { oraclePrices } from '@tidegate/core/protocol/scope/layout';
import { readScopePrices } from '@tidegate/core/views/lending';
import { CodedError } from '../errors/index.ts';
import type { Bank } from '../runtime/bank.ts';
import { slotMsAt } from '../runtime/slot-time.ts';
import { PriceKeeper, type SavedPrices } from './price-keeper.ts';

/** Between two refreshes of a reserve. */
const REFRESH_INTERVAL_MS = 60_000n;

export type KeeperOptions = {
  readonly bank: Bank;
  readonly seed: string;
  readonly rulesAt: RulesAt;
  readonly log: Logger;
  /** Accounts of another cluster change only by transactions; their prices keep their values and their ages. */
  readonly isForked?: boolean;
  /** Binaries execute, whose rules nobody knows: only their transactions refresh reserves. */
  readonly hasBinaries?: boolean;
};

/** Everything that the keepers return to when they are restored. */
export type SavedKeepers = {
  readonly prices: SavedPrices;
  readonly frozen: readonly Address[];
  readonly urgent: readonly Address[];
};

/** Keeper bots: they move prices in every slot and refresh the reserves in turn. */
export class Keepers {
  readonly prices: PriceKeeper;
  readonly #bank: Bank;
  readonly #log: Logger;
  readonly #rulesAt: RulesAt;
  readonly #frozen = new Set<Address>();
  readonly #urgent = new Set<Address>();
  readonly #refreshesReserves: boolean;

  constructor(options: KeeperOptions) {
    const { bank, seed, rulesAt, log, isForked = false, hasBinaries = false } = options;
    this.#bank = bank;
    this.#rulesAt = rulesAt;
    this.#log = log;
    this.#refreshesReserves = !isForked && !hasBinaries;
    this.prices = new PriceKeeper({ bank, seed, isForked });
  }

  save(): SavedKeepers {
    return {
      prices: this.prices.save(),
      frozen: [...this.#frozen],
      urgent: [...this.#urgent],
    };
  }

  restore({ prices, frozen, urgent }: SavedKeepers): void {
    this.prices.restore(prices);
    this.#frozen.clear();
    this.#urgent.clear();
    for (const reserve of frozen) this.#frozen.add(reserve);
    for (const reserve of urgent) this.#urgent.add(reserve);
  }

  /** Writes into the open slot, which closes at the given time. */
  run(time: ChainTime): void {
    const reserves = this.reserves().map(({ address }) => address);
    this.prices.run(time, reserves);
    if (!this.#refreshesReserves) return;
    const interval = REFRESH_INTERVAL_MS / slotMsAt(time);
    reserves.forEach((address, i) => {
      const turn = (BigInt(i) * interval) / BigInt(reserves.length);
      const next = nextTurn(toSlot(this.#bank.slot + 1n), turn, interval);
      const isDue = this.#urgent.has(address) || next <= time.slot;
      if (isDue && !this.#frozen.has(address)) this.#refresh(address, time);
    });
    this.#urgent.clear();
  }

  /** All reserves of the newest slot. */
  reserves(): readonly KeyedAccount[] {
    const view = this.#bank.view(this.#bank.slot);
    return KLEND_PROGRAMS.flatMap((program) => [...view.accountsOf(program)]).filter(
      ({ account }) => reserveLayout.matches(account),
    );
  }

  /** Refreshes the reserve in the open slot, before its turn. */
  refreshSoon(reserve: Address): void {
    if (this.#refreshesReserves) this.#urgent.add(reserve);
  }

  freeze(reserve: Address, isFrozen: boolean): void {
    if (isFrozen) this.#frozen.add(reserve);
    else this.#frozen.delete(reserve);
  }

  #refresh(address: Address, time: ChainTime): void {
    const account = this.#bank.account(address);
    if (account === undefined || !reserveLayout.matches(account)) return;
    try {
      const before = reserveLayout.decode(account);
      const market = this.#bank.account(before.lendingMarket);
      if (market === undefined) return;
      const rules = this.#rulesAt(time.slot).lending;
      const context = { market: lendingMarket.decode(market), time, rules };
      const oracle = this.#readOracle(before.config.tokenInfo, rules);
      const after = refreshReserve(before, context, oracle);
      this.#bank.setAccount(address, { ...account, data: reserveLayout.encode(after) });
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      this.#log.warn({ address, code: error.code }, 'reserve was not refreshed');
    }
  }

  #readOracle(info: TokenInfo, rules: LendingRules): OracleReading {
    const feed = this.#bank.account(info.scopeConfiguration.priceFeed);
    if (feed === undefined || !oraclePrices.matches(feed)) {
      return { price: undefined, twap: undefined };
    }
    return readScopePrices(info, oraclePrices.view(feed).prices, rules);
  }
}

type TokenInfo = ReturnType<typeof reserveLayout.decode>['config']['tokenInfo'];

/** The first slot from `slot` on that is at a position of its interval. */
function nextTurn(slot: Slot, position: bigint, interval: bigint): Slot {
  return toSlot(slot + ((((position - slot) % interval) + interval) % interval));
}
