import type { Address } from '../../base/encoding/address.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import { divRatioOrZero } from '../../base/numbers/ratio.ts';
import type { MarketSnapshot } from './market-snapshot.ts';
import type { ReserveSnapshot } from './reserve-snapshot.ts';

/** A token of a group, and what it is worth in whole tokens of the reference. */
type PriceGroupMember = { readonly reserve: ReserveSnapshot; readonly rate: Ratio };

/** Tokens of a market whose prices move together. */
export type PriceGroup = {
  readonly basis: PriceGroupBasis;
  /** The token that the others are measured in. */
  readonly reference: ReserveSnapshot;
  /** The reference first, then by address; at least two. */
  readonly members: readonly PriceGroupMember[];
};

export type PriceGroupBasis =
  /** The chains of the prices end with the same entry: a staked token is its rate times the price of what is staked. */
  | { readonly kind: 'price chain' }
  /** The market treats the tokens as one: it lends more against each other than against the rest. */
  | { readonly kind: 'elevation group'; readonly id: number };

/** Price chains first, then elevation groups by number. A token can be in several groups. */
export function viewPriceGroups(market: MarketSnapshot): PriceGroup[] {
  const reserves = [...market.reserves.values()]
    .filter(({ exactPrice }) => exactPrice.numerator !== 0n)
    .sort((a, b) => (a.address < b.address ? -1 : 1));
  return [...chainGroups(reserves), ...elevationGroups(reserves, market)];
}

function chainGroups(reserves: readonly ReserveSnapshot[]): PriceGroup[] {
  const sources = new Set(reserves.flatMap((reserve) => sourceOf(reserve) ?? []));
  return [...sources].flatMap((source) => {
    const members = reserves.filter((reserve) => sourceOf(reserve) === source);
    const shortest = Math.min(...members.map((each) => chainOf(each).length));
    const reference = members.find((each) => chainOf(each).length === shortest);
    return groupOf(members, reference, { kind: 'price chain' });
  });
}

/** The price account and its entry with which the chain ends; undefined without a chain. */
function sourceOf(reserve: ReserveSnapshot): string | undefined {
  const last = chainOf(reserve).at(-1);
  return last === undefined ? undefined : `${feedOf(reserve)} ${last}`;
}

const scopeOf = ({ config }: ReserveSnapshot) => config.tokenInfo.scopeConfiguration;
const feedOf = (reserve: ReserveSnapshot): Address => scopeOf(reserve).priceFeed;

/** Indexes from here on are no entries. */
const ENTRIES = 512;

/** The entries of the chain in use. Four zeros are no chain. */
function chainOf(reserve: ReserveSnapshot): readonly number[] {
  const chain = [...scopeOf(reserve).priceChain];
  const end = chain.findIndex((index) => index >= ENTRIES);
  const used = end < 0 ? chain : chain.slice(0, end);
  return used.every((index) => index === 0) && used.length === chain.length ? [] : used;
}

function elevationGroups(
  reserves: readonly ReserveSnapshot[],
  { fields }: MarketSnapshot,
): PriceGroup[] {
  return [...fields.elevationGroups].flatMap(({ id, ltvPct, debtReserve }) => {
    if (id === 0 || ltvPct === 0) return [];
    const reference = reserves.find(({ address }) => address === debtReserve);
    const members = reserves.filter(
      (each) => each === reference || each.config.elevationGroups.includes(id),
    );
    return groupOf(members, reference, { kind: 'elevation group', id });
  });
}

function groupOf(
  members: readonly ReserveSnapshot[],
  reference: ReserveSnapshot | undefined,
  basis: PriceGroupBasis,
): PriceGroup[] {
  if (reference === undefined || members.length < 2) return [];
  const others = members.filter((each) => each !== reference);
  const rated = [reference, ...others].map((reserve) => ({
    reserve,
    rate: divRatioOrZero(reserve.exactPrice, reference.exactPrice),
  }));
  return [{ basis, reference, members: rated }];
}
