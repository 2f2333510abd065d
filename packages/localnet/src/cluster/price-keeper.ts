import {
  type Address,
  type ChainTime,
  type ClusterAccount,
  type Elements,
  type Ratio,
  U64_MAX,
} from '@tidegate/core/base';
import { reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import { SCOPE_PROGRAMS } from '@tidegate/core/protocol/scope';
import { type DatedPrice, oraclePrices } from '@tidegate/core/protocol/scope/layout';
import { chainRatio } from '@tidegate/core/protocol/scope/math';
import { CodedError } from '../errors/index.ts';
import { type PriceAnchor, priceAtSlot } from '../genesis/seed/price-walk.ts';
import type { Bank } from '../runtime/bank.ts';
import { shiftPriceTime, timeBetween } from './price-age.ts';

/** Entries of a feed. A price chain ends at the first index beyond. */
const ENTRY_COUNT = 512;
/** More decimals than any price has, and than the lending program reads. */
const MAX_EXP = 36n;

type Feed = {
  readonly address: Address;
  readonly account: ClusterAccount;
  readonly oracleMappings: Address;
  readonly prices: readonly DatedPrice[];
};

/** A pinned entry: together with the other entries of the chain it gives the pinned price. */
type PinnedPrice = {
  readonly index: number;
  readonly others: readonly number[];
  readonly price: Ratio;
};

type PriceState = { readonly anchor: PriceAnchor; readonly written: bigint };

export type PriceKeeperOptions = {
  readonly bank: Bank;
  readonly seed: string;
  /** Prices of another cluster keep their values and their ages. */
  readonly isForked?: boolean;
};

/** Everything that a price keeper returns to when it is restored. */
export type SavedPrices = {
  readonly states: ReadonlyMap<string, PriceState>;
  readonly pinned: ReadonlyMap<string, PinnedPrice>;
};

/** Moves the used entries of every price account and updates their timestamps. */
export class PriceKeeper {
  readonly #bank: Bank;
  readonly #seed: string;
  readonly #isForked: boolean;
  #states = new Map<string, PriceState>();
  #pinned = new Map<string, PinnedPrice>();

  constructor({ bank, seed, isForked = false }: PriceKeeperOptions) {
    this.#bank = bank;
    this.#seed = seed;
    this.#isForked = isForked;
  }

  save(): SavedPrices {
    return { states: new Map(this.#states), pinned: new Map(this.#pinned) };
  }

  restore({ states, pinned }: SavedPrices): void {
    this.#states = new Map(states);
    this.#pinned = new Map(pinned);
  }

  /**
   * Writes into the open slot. The reserves define whether an entry is a price, a stake rate or an
   * average.
   */
  run(time: ChainTime, reserves: readonly Address[]): void {
    const fixed = this.#fixedEntries(reserves);
    const view = this.#bank.view(this.#bank.slot);
    for (const program of SCOPE_PROGRAMS) {
      for (const { address } of view.accountsOf(program)) {
        const feed = this.#feed(address);
        if (feed !== undefined) this.#moveFeed(feed, time, fixed);
      }
    }
  }

  /**
   * Pins the USD price of the reserve's token. In a chain, the first entry compensates for the
   * others. Rounded down to the decimals of that entry.
   */
  hold(reserve: Address, price: Ratio): void {
    const { feed, chain, index } = this.#entryOf(reserve);
    const pinned = { index, others: chain.slice(1), price };
    this.#write(feed, withPinned(feed.prices, pinned));
    this.#pinned.set(keyOf(feed.address, index), pinned);
  }

  /** Lets the price move again from its current value. */
  release(reserve: Address): void {
    const { feed, index } = this.#entryOf(reserve);
    this.#pinned.delete(keyOf(feed.address, index));
  }

  #moveFeed(feed: Feed, time: ChainTime, fixed: ReadonlySet<string>): void {
    const pinned: PinnedPrice[] = [];
    const sinceNewest = timeBetween(this.#bank.timeOf(this.#bank.slot), time);
    const moved = feed.prices.map((entry, index) => {
      if (entry.price.value === 0n || entry.price.exp > MAX_EXP) return entry;
      const key = keyOf(feed.address, index);
      const pinnedPrice = this.#pinned.get(key);
      if (pinnedPrice !== undefined) pinned.push(pinnedPrice);
      else if (this.#isForked) return shiftPriceTime(entry, sinceNewest);
      const isFixed = pinnedPrice !== undefined || fixed.has(key);
      const value = isFixed ? entry.price.value : this.#nextPrice(key, entry, time);
      const price = { ...entry.price, value };
      return { ...entry, price, lastUpdatedSlot: time.slot, unixTimestamp: time.unix };
    });
    this.#write(feed, pinned.reduce(withPinnedIfPossible, moved));
  }

  /** The price continues from a value that another writer has set. */
  #nextPrice(key: string, { price }: DatedPrice, { slot }: ChainTime): bigint {
    const state = this.#states.get(key);
    const isContinued = state?.written === price.value;
    const anchor = isContinued ? state.anchor : { value: price.value, slot: this.#bank.slot };
    const one = 10n ** price.exp;
    const isStable = anchor.value * 100n >= one * 97n && anchor.value * 100n <= one * 103n;
    const walked = priceAtSlot({ key: `${this.#seed}/${key}`, isStable }, anchor, slot);
    const written = walked > 0n && walked <= U64_MAX ? walked : price.value;
    this.#states.set(key, { anchor, written });
    return written;
  }

  #feed(address: Address): Feed | undefined {
    const account = this.#bank.account(address);
    if (account === undefined || !oraclePrices.matches(account)) return undefined;
    return { address, account, ...oraclePrices.decode(account) };
  }

  #write({ address, account, oracleMappings }: Feed, prices: readonly DatedPrice[]): void {
    const data = oraclePrices.encode({ oracleMappings, prices });
    this.#bank.setAccount(address, { ...account, data });
  }

  #entryOf(reserve: Address) {
    const source = this.#sourceOf(reserve);
    const feed = source && this.#feed(source.priceFeed);
    const chain = source ? usedIndexes(source.priceChain) : [];
    const [index] = chain;
    if (feed === undefined || index === undefined) {
      throw malformed('reserve', `${reserve} has no price feed`);
    }
    return { feed, chain, index };
  }

  #sourceOf(reserve: Address) {
    const account = this.#bank.account(reserve);
    if (account === undefined || !reserveLayout.matches(account)) return undefined;
    return reserveLayout.view(account).config.tokenInfo.scopeConfiguration;
  }

  /**
   * Entries that do not move: stake rates, which change per epoch only and come before the last
   * entry of a chain; and averages, which are in no price chain and are not computed here.
   */
  #fixedEntries(reserves: readonly Address[]): ReadonlySet<string> {
    const rates = new Set<string>();
    const averages = new Set<string>();
    const prices = new Set<string>();
    for (const reserve of reserves) {
      const source = this.#sourceOf(reserve);
      if (source === undefined) continue;
      const keys = (chain: Elements<number>) =>
        usedIndexes(chain).map((index) => keyOf(source.priceFeed, index));
      const chain = keys(source.priceChain);
      for (const key of chain.slice(0, -1)) rates.add(key);
      for (const key of chain) prices.add(key);
      for (const key of keys(source.twapChain)) averages.add(key);
    }
    return new Set([...rates, ...[...averages].filter((key) => !prices.has(key))]);
  }
}

const ONE: Ratio = { numerator: 1n, denominator: 1n };

function withPinned(prices: readonly DatedPrice[], pinned: PinnedPrice): readonly DatedPrice[] {
  const { index, others, price } = pinned;
  const entry = prices[index];
  // With a terminator, because a chain of zeros alone counts as empty.
  const rest = others.length === 0 ? ONE : chainRatio(prices, [...others, ENTRY_COUNT]);
  if (entry === undefined || entry.price.exp > MAX_EXP || !rest || rest.numerator === 0n) {
    throw malformed('price feed', 'the entries give no price');
  }
  const dividend = price.numerator * rest.denominator * 10n ** entry.price.exp;
  const value = dividend / (price.denominator * rest.numerator);
  if (value <= 0n || value > U64_MAX) {
    throw malformed('price', 'does not fit the feed entry');
  }
  return prices.with(index, { ...entry, price: { ...entry.price, value } });
}

/** Skips the price if the other entries have become unusable. */
function withPinnedIfPossible(
  prices: readonly DatedPrice[],
  pinned: PinnedPrice,
): readonly DatedPrice[] {
  try {
    return withPinned(prices, pinned);
  } catch (error) {
    if (error instanceof CodedError) return prices;
    throw error;
  }
}

const keyOf = (feed: Address, index: number): string => `${feed}/${index}`;

/** A chain of four zeros is unused. */
function usedIndexes(chain: Elements<number>): readonly number[] {
  const indexes = [...chain];
  if (indexes.every((index) => index === 0)) return [];
  const end = indexes.findIndex((index) => index >= ENTRY_COUNT);
  return end === -1 ? indexes : indexes.slice(0, end);
}

function malformed(what: string, reason: string): CodedError {
  return new CodedError('MALFORMED_DATA', { what, reason });
}
