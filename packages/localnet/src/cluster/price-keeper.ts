import {
  type Address,
  type ChainTime,
  type ClusterAccount,
  CodedError,
  type Elements,
  type Ratio,
  U64_MAX,
} from '@tidegate/core/base';
import { reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import { SCOPE_PROGRAMS } from '@tidegate/core/protocol/scope';
import { type DatedPrice, oraclePrices } from '@tidegate/core/protocol/scope/layout';
import { chainRatio } from '@tidegate/core/protocol/scope/math';
import { type PriceAnchor, priceAtSlot } from '../genesis/seed/price-walk.ts';
import type { Bank } from '../runtime/bank.ts';

/** Places of a feed; a chain ends at the first index beyond. */
const PLACES = 512;
/** More decimals than any price has, or than the lending program reads. */
const MAX_EXP = 36n;

type Feed = {
  readonly address: Address;
  readonly account: ClusterAccount;
  readonly oracleMappings: Address;
  readonly prices: readonly DatedPrice[];
};

/** An entry that makes a price together with others, and the price that they must give. */
type Held = {
  readonly place: number;
  readonly others: readonly number[];
  readonly price: Ratio;
};

type Followed = { readonly anchor: PriceAnchor; readonly written: bigint };

/** Moves the entries of every price account that are in use, and keeps their times current. */
export class PriceKeeper {
  readonly #bank: Bank;
  readonly #seed: string;
  readonly #followed = new Map<string, Followed>();
  readonly #held = new Map<string, Held>();

  constructor({ bank, seed }: { readonly bank: Bank; readonly seed: string }) {
    this.#bank = bank;
    this.#seed = seed;
  }

  /** Writes into the open slot. The reserves tell what an entry is: a price, a rate, an average. */
  work(time: ChainTime, reserves: readonly Address[]): void {
    const still = this.#stillEntries(reserves);
    const view = this.#bank.view(this.#bank.slot);
    for (const program of SCOPE_PROGRAMS) {
      for (const { address } of view.accountsOf(program)) {
        const feed = this.#feed(address);
        if (feed !== undefined) this.#moveFeed(feed, time, still);
      }
    }
  }

  /**
   * Gives the reserve's token this price in USD and keeps it there: in a chain the first entry makes up for what the
   * others do. Rounded down to the decimals of that entry.
   */
  hold(reserve: Address, price: Ratio): void {
    const { feed, chain, place } = this.#entryOf(reserve);
    const held = { place, others: chain.slice(1), price };
    this.#write(feed, withHeld(feed.prices, held));
    this.#held.set(keyOf(feed.address, place), held);
  }

  /** Lets it move on from where it is. */
  release(reserve: Address): void {
    const { feed, place } = this.#entryOf(reserve);
    this.#held.delete(keyOf(feed.address, place));
  }

  #moveFeed(feed: Feed, time: ChainTime, still: ReadonlySet<string>): void {
    const held: Held[] = [];
    const moved = feed.prices.map((entry, place) => {
      if (entry.price.value === 0n || entry.price.exp > MAX_EXP) return entry;
      const key = keyOf(feed.address, place);
      const kept = this.#held.get(key);
      if (kept !== undefined) held.push(kept);
      const isStill = kept !== undefined || still.has(key);
      const value = isStill ? entry.price.value : this.#walked(key, entry, time);
      const price = { ...entry.price, value };
      return { ...entry, price, lastUpdatedSlot: time.slot, unixTimestamp: time.unix };
    });
    this.#write(feed, held.reduce(withHeldIfPossible, moved));
  }

  /** A value that somebody else has written is where the price goes on from. */
  #walked(key: string, { price }: DatedPrice, { slot }: ChainTime): bigint {
    const known = this.#followed.get(key);
    const isOurs = known?.written === price.value;
    const anchor = isOurs ? known.anchor : { value: price.value, slot: this.#bank.slot };
    const one = 10n ** price.exp;
    const isStable = anchor.value * 100n >= one * 97n && anchor.value * 100n <= one * 103n;
    const walked = priceAtSlot({ key: `${this.#seed}/${key}`, isStable }, anchor, slot);
    const written = walked > 0n && walked <= U64_MAX ? walked : price.value;
    this.#followed.set(key, { anchor, written });
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
    const chain = source ? usedPlaces(source.priceChain) : [];
    const [place] = chain;
    if (feed === undefined || place === undefined) {
      throw unusable('reserve', `${reserve} has no price feed`);
    }
    return { feed, chain, place };
  }

  #sourceOf(reserve: Address) {
    const account = this.#bank.account(reserve);
    if (account === undefined || !reserveLayout.matches(account)) return undefined;
    return reserveLayout.view(account).config.tokenInfo.scopeConfiguration;
  }

  /**
   * Stake rates, which change with epochs only, are those before the last place of a chain. Averages that nobody
   * computes here are those in no chain of prices.
   */
  #stillEntries(reserves: readonly Address[]): ReadonlySet<string> {
    const rates = new Set<string>();
    const averages = new Set<string>();
    const prices = new Set<string>();
    for (const reserve of reserves) {
      const source = this.#sourceOf(reserve);
      if (source === undefined) continue;
      const keys = (chain: Elements<number>) =>
        usedPlaces(chain).map((place) => keyOf(source.priceFeed, place));
      const chain = keys(source.priceChain);
      for (const key of chain.slice(0, -1)) rates.add(key);
      for (const key of chain) prices.add(key);
      for (const key of keys(source.twapChain)) averages.add(key);
    }
    return new Set([...rates, ...[...averages].filter((key) => !prices.has(key))]);
  }
}

const ONE: Ratio = { numerator: 1n, denominator: 1n };

function withHeld(prices: readonly DatedPrice[], held: Held): readonly DatedPrice[] {
  const { place, others, price } = held;
  const entry = prices[place];
  // with its end, because a chain of zeros alone would be none
  const rest = others.length === 0 ? ONE : chainRatio(prices, [...others, PLACES]);
  if (entry === undefined || entry.price.exp > MAX_EXP || !rest || rest.numerator === 0n) {
    throw unusable('price feed', 'its entries give no price');
  }
  const dividend = price.numerator * rest.denominator * 10n ** entry.price.exp;
  const value = dividend / (price.denominator * rest.numerator);
  if (value <= 0n || value > U64_MAX) {
    throw unusable('price', 'it does not fit the entry of the feed');
  }
  return prices.with(place, { ...entry, price: { ...entry.price, value } });
}

/** The other entries may have become unusable since: then the price is not kept. */
function withHeldIfPossible(prices: readonly DatedPrice[], held: Held): readonly DatedPrice[] {
  try {
    return withHeld(prices, held);
  } catch (error) {
    if (error instanceof CodedError) return prices;
    throw error;
  }
}

const keyOf = (feed: Address, place: number): string => `${feed}/${place}`;

/** Four zeros are no chain. */
function usedPlaces(chain: Elements<number>): readonly number[] {
  const places = [...chain];
  if (places.every((place) => place === 0)) return [];
  const end = places.findIndex((place) => place >= PLACES);
  return end === -1 ? places : places.slice(0, end);
}

function unusable(what: string, reason: string): CodedError {
  return new CodedError('MALFORMED_DATA', { what, reason });
}
