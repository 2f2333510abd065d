import {
  type Address,
  type Ratio,
  ratio,
  type Sf,
  sfFromBits,
  type UnixSeconds,
} from '@tidegate/core/base';
import { tokensPerShare } from '@tidegate/core/protocol/kvault/math';
import { WRAPPED_SOL_MINT } from '@tidegate/core/protocol/spl';
import type { SeriesKind, SeriesPoint } from '../../history/schema/series-tables.ts';

/** Prices at a time, from the newest sample at or before it. Undefined if there is none, or if it is too old. */
export type HistoricalPrices = {
  /** USD per whole token. */
  priceAt(mint: Address, at: UnixSeconds): Sf | undefined;
  solPriceAt(at: UnixSeconds): Sf | undefined;
  /** SOL per whole token of a stake pool. */
  stakeRateAt(mint: Address, at: UnixSeconds): Ratio | undefined;
  /** Whole tokens per whole share. */
  tokensPerShareAt(vault: Address, at: UnixSeconds): Ratio | undefined;
};

/** Series that contain prices. */
export type PriceSeriesKind = Extract<SeriesKind, 'price' | 'stakeRate' | 'vault'>;

type PointOf<Kind extends PriceSeriesKind> = Extract<SeriesPoint, { readonly kind: Kind }>;

/** The fields of a sample that determine a price. */
export type PriceSamples = {
  readonly price: Pick<PointOf<'price'>, 'at' | 'priceSf'>;
  readonly stakeRate: Pick<PointOf<'stakeRate'>, 'at' | 'lamports' | 'tokens'>;
  readonly vault: Pick<
    PointOf<'vault'>,
    'at' | 'aumSf' | 'sharesIssued' | 'tokenDecimals' | 'sharesDecimals'
  >;
};

export type FindSampleAsOf = <Kind extends PriceSeriesKind>(
  kind: Kind,
  subject: Address,
  at: UnixSeconds,
) => PriceSamples[Kind] | undefined;

/** An older sample does not tell the price: samples are at most an hour apart. */
const MAX_SAMPLE_AGE_SECONDS = 7_200n;

/** Historical prices from any source of samples. */
export function createHistoricalPrices(findSample: FindSampleAsOf): HistoricalPrices {
  const priceAt = (mint: Address, at: UnixSeconds) => {
    const sample = findSample('price', mint, at);
    // a sample of zero tells that there was no price
    if (sample === undefined || sample.priceSf === 0n) return undefined;
    return at - sample.at <= MAX_SAMPLE_AGE_SECONDS ? sfFromBits(sample.priceSf) : undefined;
  };
  return {
    priceAt,
    solPriceAt: (at) => priceAt(WRAPPED_SOL_MINT, at),
    stakeRateAt: (mint, at) => {
      const sample = findSample('stakeRate', mint, at);
      return sample && sample.tokens > 0n ? ratio(sample.lamports, sample.tokens) : undefined;
    },
    tokensPerShareAt: (vault, at) => {
      const sample = findSample('vault', vault, at);
      return sample && sample.sharesIssued > 0n ? shareRate(sample) : undefined;
    },
  };
}

function shareRate(sample: PriceSamples['vault']): Ratio {
  const { aumSf, sharesIssued, tokenDecimals, sharesDecimals } = sample;
  const vault = {
    sharesIssued,
    tokenMintDecimals: BigInt(tokenDecimals),
    sharesMintDecimals: BigInt(sharesDecimals),
  };
  return tokensPerShare(vault, sfFromBits(aumSf));
}
