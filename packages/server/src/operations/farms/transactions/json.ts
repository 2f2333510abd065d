import {
  type Address,
  encodeBase58,
  formatInstant,
  mulRatio,
  type Ratio,
  type UnixSeconds,
  ZERO_RATIO,
} from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import { samplePrice, sampleSharePrices, usdPerShare } from '@tidegate/core/views/series';
import {
  collateralPrice,
  type FarmEventKind,
  type FarmEventToken,
  type FarmUserEventKind,
  farmEventAmount,
  farmEventInstructions,
  resolveFarmEventToken,
} from '@tidegate/core/views/transactions';
import { farmEventKinds } from '../../../history/event-kinds.ts';
import { readSamplesBegin } from '../../../history/queries/event-coverage.ts';
import type { HistoryReader } from '../../../history/queries/history-reader.ts';
import {
  readSamplesAsOf,
  type SampleAsOfQuery,
  type SeriesSample,
} from '../../../history/queries/samples-as-of.ts';
import type { EventRow } from '../../../history/schema/event-tables.ts';
import { formatSeriesRatio } from '../../../support/decimals/series-decimals.ts';
import { missingPrice } from '../../../support/history/complete-history.ts';
import { isRecentSample, recentPrice } from '../../../support/history/historical-price-lookup.ts';
import { readFarmPurposes } from '../../../support/pricing/farm-purposes.ts';

const isUserKind = (kind: FarmEventKind): kind is FarmUserEventKind =>
  Object.hasOwn(farmEventInstructions, kind);

/** Of a token that no market prices. */
const UNPRICED: Ratio = { numerator: 0n, denominator: 1n };

/** Numbers of the events of users. */
export const farmUserEventKinds = farmEventKinds.flatMap((kind, number) =>
  isUserKind(kind) ? [number] : [],
);

/**
 * Omits events whose token is unknown because the farm was closed. A token that never had a price is worth 0. Throws
 * HISTORY_INCOMPLETE for an amount whose price at the time of the event is not recorded: the contract has no value for it.
 */
export async function farmTransactionsJson(
  rows: readonly EventRow<'farmEvent'>[],
  reader: ClusterReader,
  history: HistoryReader,
) {
  const events = resolveEvents(rows, reader);
  const priceOf = await readPrices(history, events);
  return events.map((event) => {
    const { row, kind, token } = event;
    const { at, farm } = row;
    const tokens = farmEventAmount({ kind, amount: row.amount }, token);
    const price = priceOf(event);
    if (price === undefined && tokens.numerator !== 0n) {
      throw missingPrice(`the farm ${farm}`, token.mint, at);
    }
    return {
      createdOn: formatInstant(at),
      transactionSignature: encodeBase58(row.signature),
      instruction: farmEventInstructions[kind],
      tokenAmount: formatSeriesRatio(tokens),
      usdAmount: formatSeriesRatio(mulRatio(tokens, price ?? ZERO_RATIO)),
      farm,
      token: token.mint,
    };
  });
}

type ResolvedEvent = {
  readonly row: EventRow<'farmEvent'>;
  readonly kind: FarmUserEventKind;
  readonly token: FarmEventToken;
};

function resolveEvents(
  rows: readonly EventRow<'farmEvent'>[],
  reader: ClusterReader,
): readonly ResolvedEvent[] {
  const purposes = readFarmPurposes(reader);
  return rows.flatMap((row) => {
    const kind = farmEventKinds[row.kind];
    if (kind === undefined || !isUserKind(kind)) return [];
    const { mint, farm } = row;
    const purpose = purposes.get(farm) ?? { kind: 'token' };
    const token = resolveFarmEventToken({ kind, mint }, reader.farm(farm)?.fields, purpose);
    return token === undefined ? [] : [{ row, kind, token }];
  });
}

/**
 * USD price of one unit of an event's amount at the time of the event. Undefined if it is not recorded, zero for a token
 * without any price. One query per kind of price.
 */
async function readPrices(
  history: HistoryReader,
  events: readonly ResolvedEvent[],
): Promise<(event: ResolvedEvent) => Ratio | undefined> {
  const subjectsOf = (find: (event: ResolvedEvent) => Address | undefined) =>
    events.flatMap((event) => {
      const subject = find(event);
      return subject === undefined ? [] : [{ subject, at: event.row.at }];
    });
  const prices = await readSamples(history, 'price', subjectsOf(pricedMint));
  const shares = await readSamples(history, 'vault', subjectsOf(pricedVault));
  const reserves = await readSamples(history, 'reserve', subjectsOf(pricedReserve));
  const since = await readSamplesBegin(history);
  const find = (event: ResolvedEvent): Ratio | undefined => {
    const { at } = event.row;
    const { pricing } = event.token;
    switch (pricing.kind) {
      case 'shares': {
        const vault = shares(pricing.vault, at);
        if (vault === undefined || !isRecentSample(vault, at)) return undefined;
        return vault.sharesIssued === 0n
          ? firstSharePrice(vault)
          : usdPerShare(sampleSharePrices(vault));
      }
      case 'collateral': {
        const reserve = reserves(pricing.reserve, at);
        if (reserve === undefined || !isRecentSample(reserve, at)) return undefined;
        // a reserve that was never refreshed stores no price
        const { priceSf, oraclePriceSf } = reserve;
        const sampled = samplePrice(priceSf === 0n ? oraclePriceSf : priceSf);
        return collateralPrice(reserve, ownPrice(event) ?? sampled);
      }
      default: {
        const own = ownPrice(event);
        if (own !== undefined) return own;
        const sample = prices(event.token.mint, at);
        const isSampled = at >= (since?.unix ?? 0n);
        if (sample === undefined && isSampled) return UNPRICED;
        return recentPrice(sample, at);
      }
    }
  };
  return (event) => {
    const price = find(event);
    return price === UNPRICED || price?.numerator !== 0n ? price : undefined;
  };
}

/** A vault without shares issues one smallest unit of them per smallest unit of its token. */
function firstSharePrice(sample: SeriesSample<'vault'>): Ratio {
  const { tokenDecimals, sharesDecimals, priceSf } = sample;
  const tokensPerShare = {
    numerator: 10n ** BigInt(sharesDecimals),
    denominator: 10n ** BigInt(tokenDecimals),
  };
  return mulRatio(tokensPerShare, samplePrice(priceSf));
}

/** The price that was recorded with the event; a zero is none. */
const ownPrice = ({ row: { priceSf } }: ResolvedEvent): Ratio | undefined =>
  priceSf === null || priceSf === 0n ? undefined : samplePrice(priceSf);

/** The mint whose sampled price values the event, if the event has no price of its own. */
function pricedMint(event: ResolvedEvent): Address | undefined {
  const { mint, pricing } = event.token;
  const isPriced = pricing.kind === 'debt' || pricing.kind === 'token';
  return isPriced && ownPrice(event) === undefined ? mint : undefined;
}

const pricedVault = ({ token: { pricing } }: ResolvedEvent): Address | undefined =>
  pricing.kind === 'shares' ? pricing.vault : undefined;

const pricedReserve = ({ token: { pricing } }: ResolvedEvent): Address | undefined =>
  pricing.kind === 'collateral' ? pricing.reserve : undefined;

/** Samples per SQL query. */
const MAX_QUERIES = 2_000;

type SampledKind = 'price' | 'vault' | 'reserve';

/** Each subject at the newest sample before each time. */
async function readSamples<Kind extends SampledKind>(
  history: HistoryReader,
  kind: Kind,
  requested: readonly SampleAsOfQuery[],
): Promise<(subject: Address, at: UnixSeconds) => SeriesSample<Kind> | undefined> {
  const keyOf = (subject: Address, at: bigint): string => `${subject} ${at}`;
  const distinct = new Map(requested.map((query) => [keyOf(query.subject, query.at), query]));
  const queries = [...distinct.values()];
  const samples: (SeriesSample<Kind> | undefined)[] = [];
  for (let start = 0; start < queries.length; start += MAX_QUERIES) {
    const some = queries.slice(start, start + MAX_QUERIES);
    samples.push(...(await readSamplesAsOf(history, kind, some)));
  }
  const found = new Map([...distinct.keys()].map((key, index) => [key, samples[index]]));
  return (subject, at) => found.get(keyOf(subject, at));
}
