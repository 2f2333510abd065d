import { type Address, type Ratio, ratio, type UnixSeconds } from '@tidegate/core/base';
import { WRAPPED_SOL_MINT } from '@tidegate/core/protocol/spl';
import { computeFigure, type PriceAge } from '@tidegate/core/views/lending';
import { type ObligationPoint, viewObligationPoint } from '@tidegate/core/views/series';
import { trackPrices } from '@tidegate/core/views/vaults';
import type { Cluster } from '../../clusters/served-clusters.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { readPointAsOf } from '../../history/queries/time-series.ts';
import type { OperationContext } from '../../operations/operation-context.ts';
import { marketPriceAges, requireReadable } from '../pricing/data-notes.ts';
import { marketCache } from '../pricing/market-cache.ts';
import { requireTokenPrice, vaultPricingCache } from '../pricing/vault-pricing-cache.ts';

export type Loan = { readonly market: Address; readonly obligation: Address };

/** SOL per whole token, by mint. */
export type StakeRates = ReadonlyMap<Address, Ratio>;

type PresentLoan = {
  readonly point: ObligationPoint;
  /** Of the prices behind its values. */
  readonly priceAges: readonly PriceAge[];
};

/** The value of a loan now; undefined if it is closed, empty or in another market. */
export function presentLoan(context: OperationContext) {
  const marketOf = marketCache(context);
  const pricingOf = vaultPricingCache(context);
  return (
    cluster: Cluster,
    { market: address, obligation }: Loan,
    stakeRates: StakeRates | undefined,
  ): PresentLoan | undefined => {
    const { reader } = cluster;
    requireReadable(reader, obligation);
    const market = marketOf(reader, address);
    const fields = reader.obligation(obligation)?.fields;
    if (market === undefined || fields?.lendingMarket !== address) return undefined;
    const pricing = trackPrices(pricingOf(cluster));
    const solPrice = requireTokenPrice(pricing, WRAPPED_SOL_MINT);
    const point = computeFigure(obligation, () =>
      viewObligationPoint(fields, market, {
        solPrice,
        solPriceAt: market.at.unix,
        ...(stakeRates === undefined ? {} : { stakeRates }),
      }),
    );
    if (point === undefined) return undefined;
    const priceAges = [...marketPriceAges(market, reservesOf(fields)), ...pricing.priceAges()];
    return { point, priceAges };
  };
}

type ObligationFields = NonNullable<ReturnType<Cluster['reader']['obligation']>>['fields'];

const reservesOf = ({ deposits, borrows }: ObligationFields): Address[] => [
  ...[...deposits].map(({ depositReserve }) => depositReserve),
  ...[...borrows].map(({ borrowReserve }) => borrowReserve),
];

/** Newest sampled rates of the stake pools whose tokens are in the market. */
export async function readStakeRates(
  { reader }: Cluster,
  history: HistoryReader,
  market: Address,
): Promise<StakeRates> {
  const now = reader.at().unix;
  const mints = reader.reservesOf(market).map(({ fields }) => fields.liquidity.mintPubkey);
  const rates = new Map<Address, Ratio>();
  for (const mint of mints) {
    const sample = await readNewestStakeRate(history, mint, now);
    if (sample === undefined || sample.tokens === 0n) continue;
    rates.set(mint, ratio(sample.lamports, sample.tokens));
  }
  return rates;
}

/** The last sample of the current day is the newest one. */
const readNewestStakeRate = (history: HistoryReader, mint: Address, now: UnixSeconds) =>
  readPointAsOf(history, { kind: 'stakeRate', resolution: 'day', subject: mint }, now);
