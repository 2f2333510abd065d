import type { Address } from '@tidegate/core/base';
import { unmodeledMarketRules, unmodeledReserveRules } from '@tidegate/core/protocol/klend';
import type { LendingMarketView, ReserveView } from '@tidegate/core/protocol/klend/layout';
import type { AccountKind, ClusterReader } from '@tidegate/core/state';
import {
  type Loan,
  type MarketSnapshot,
  type Omission,
  type PriceAge,
  reservePriceAge,
  stalePriceAges,
  unreadableError,
} from '@tidegate/core/views/lending';
import type { TrackedContext } from '@tidegate/core/views/vaults';
import type { FastifyReply } from 'fastify';
import { CodedError } from '../../errors.ts';
import { setDataHeader } from '../../http/data-headers.ts';

/** A header lists this many items, then `more;count=N` for the others. */
const MAX_ITEMS = 20;
const MAX_REASON_LENGTH = 200;

/** Sets `x-omitted`. `count` is the number of omitted items if `omitted` lists only the first. */
export function setOmittedHeader(
  reply: FastifyReply,
  omitted: readonly Omission[],
  count = omitted.length,
): void {
  const reasons = new Map(omitted.map(({ address, reason }) => [address, reason]));
  const repeated = omitted.length - reasons.size;
  const items = [...reasons].map(([address, reason]) => `${address};reason=${quote(reason)}`);
  setDataHeader(reply, 'x-omitted', limitItems(items, count - repeated));
}

/** Sets `x-stale-prices` to the tokens whose price is older than the limit of its reserve. */
export function setStalePricesHeader(reply: FastifyReply, ages: Iterable<PriceAge>): void {
  const items = [...stalePriceAges(ages)].map(([mint, seconds]) => `${mint};age=${seconds}`);
  setDataHeader(reply, 'x-stale-prices', limitItems(items, items.length));
}

/** Sets `x-unmodeled-rules` to the rules of markets and reserves that the figures of a response do not include. */
export function setUnmodeledRulesHeader(
  reply: FastifyReply,
  { markets, reserves = [] }: RuledAccounts,
): void {
  const items = [
    ...[...markets].map(({ address, fields }) => ({
      address,
      rules: unmodeledMarketRules(fields),
    })),
    ...[...reserves].map(({ address, fields }) => ({
      address,
      rules: unmodeledReserveRules(fields),
    })),
  ].flatMap(({ address, rules }) =>
    rules.map(
      ({ rule, field, value }) =>
        `${address};rule=${quote(rule)};field=${quote(field)};value=${quote(value)}`,
    ),
  );
  setDataHeader(reply, 'x-unmodeled-rules', limitItems(items, items.length));
}

type RuledAccounts = {
  readonly markets: Iterable<{ readonly address: Address; readonly fields: LendingMarketView }>;
  readonly reserves?: Iterable<{ readonly address: Address; readonly fields: ReserveView }>;
};

/** Sets both headers: the old prices that a response used, and the omitted items. */
export function setPriceHeaders(
  reply: FastifyReply,
  pricing: TrackedContext,
  omitted: readonly Omission[] = [],
): void {
  setStalePricesHeader(reply, pricing.priceAges());
  setOmittedHeader(reply, [...omitted, ...missingPrices(pricing)]);
}

/** Tokens without a price: their values are zero or missing in the response. */
const missingPrices = (pricing: TrackedContext): Omission[] =>
  pricing
    .missingPrices()
    .map((address) => ({ address, reason: 'No listed market has a valid price of this token.' }));

/** The ages of the prices of a loan's tokens. */
export const loanPriceAges = ({ deposits, borrows, at }: Loan): PriceAge[] =>
  [...deposits, ...borrows].map(({ reserve }) => reservePriceAge(reserve, at.unix));

/** The ages of the prices of some reserves, by default of all reserves of the market. */
export const marketPriceAges = (
  { reserves, at }: MarketSnapshot,
  addresses: Iterable<Address> = reserves.keys(),
): PriceAge[] =>
  [...addresses].flatMap((address) => {
    const reserve = reserves.get(address);
    return reserve === undefined ? [] : reservePriceAge(reserve, at.unix);
  });

/** The reserves of a market that cannot be read or priced. */
export const unavailableReserves = ({ unavailable }: MarketSnapshot): Omission[] =>
  [...unavailable].map(([address, { message: reason }]) => ({ address, reason }));

/** Accounts of a kind that cannot be decoded. `belongsTo` is a market or a wallet. */
export const unreadableAccounts = (
  { unreadable }: ClusterReader,
  kind: AccountKind,
  belongsTo?: Address,
): Omission[] =>
  unreadable.ofKind(kind, belongsTo).map(({ address, reason }) => ({ address, reason }));

/** Throws ACCOUNT_UNREADABLE for an account that exists but cannot be decoded. */
export function requireReadable({ unreadable }: ClusterReader, address: Address): void {
  const found = unreadable.get(address);
  if (found !== undefined) throw unreadableError(address, found.reason);
}

/** The error of an account that another account refers to. */
export function missingAccountError(
  { unreadable }: ClusterReader,
  address: Address,
  what: string,
): CodedError {
  const found = unreadable.get(address);
  if (found !== undefined) return unreadableError(address, found.reason);
  return new CodedError('ACCOUNT_UNREADABLE', { address, reason: `no such ${what} is known` });
}

function limitItems(items: readonly string[], count: number): readonly string[] {
  if (count <= MAX_ITEMS && count === items.length) return items;
  const listed = items.slice(0, MAX_ITEMS);
  return [...listed, `more;count=${count - listed.length}`];
}

/** A quoted string of printable ASCII characters. */
function quote(reason: string): string {
  const text = reason.slice(0, MAX_REASON_LENGTH).replaceAll(/[^ -~]/g, '?');
  return `"${text.replaceAll(/["\\]/g, (character) => `\\${character}`)}"`;
}
