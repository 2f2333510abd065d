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

/**
 * What things were worth at a time: by the newest sample that was taken at it or before it. Undefined where
 * there is none.
 */
export type HistoricalPrices = {
  /** USD for a whole token. */
  priceAt(mint: Address, at: UnixSeconds): Sf | undefined;
  solPriceAt(at: UnixSeconds): Sf | undefined;
  /** SOL for a whole token of a stake pool. */
  stakeRateAt(mint: Address, at: UnixSeconds): Ratio | undefined;
  /** Whole tokens for a whole share. */
  tokensPerShareAt(vault: Address, at: UnixSeconds): Ratio | undefined;
};

/** The series that tell prices. */
export type PriceSeriesKind = Extract<SeriesKind, 'price' | 'stakeRate' | 'vault'>;

type PointOf<Kind extends PriceSeriesKind> = Extract<SeriesPoint, { readonly kind: Kind }>;

/** What of a sample tells a price. */
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

/** The same of any samples, wherever they are kept. */
export function createHistoricalPrices(lastSample: FindSampleAsOf): HistoricalPrices {
  const priceAt = (mint: Address, at: UnixSeconds) => {
    const sample = lastSample('price', mint, at);
    return sample && sfFromBits(sample.priceSf);
  };
  return {
    priceAt,
    solPriceAt: (at) => priceAt(WRAPPED_SOL_MINT, at),
    stakeRateAt: (mint, at) => {
      const sample = lastSample('stakeRate', mint, at);
      return sample && sample.tokens > 0n ? ratio(sample.lamports, sample.tokens) : undefined;
    },
    tokensPerShareAt: (vault, at) => {
      const sample = lastSample('vault', vault, at);
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
