import type { Address } from '../base/address.ts';
import { type Bsf, bsfFromBits } from '../base/big-fixed.ts';
import { type Sf, sfFromBits } from '../base/fixed.ts';
import { toLamports } from '../base/lamports.ts';
import type { ChainTime } from '../base/time.ts';
import {
  reserve as layout,
  type Reserve,
  type ReserveView,
  reserveCollateral,
} from '../protocol/klend/layout/reserve.ts';
import { reserveConfig, withdrawalCaps } from '../protocol/klend/layout/reserve-config.ts';
import { reserveLiquidity } from '../protocol/klend/layout/reserve-liquidity.ts';
import { KLEND_PROGRAM } from '../protocol/klend/program.ts';
import type { Point, Resolution, SeriesRow } from './series-tables.ts';

/** A reserve of which the interest was brought to the slot of the snapshot. */
export type ReserveSnapshot = {
  readonly address: Address;
  /** The account as it is stored, of which the settings are kept. */
  readonly data: Uint8Array;
  readonly fields: Pick<ReserveView, 'liquidity' | 'collateral'>;
  readonly accrued: Pick<
    Reserve['liquidity'],
    'borrowedAmountSf' | 'accumulatedProtocolFeesSf' | 'pendingReferrerFeesSf'
  > & { readonly cumulativeBorrowRate: Bsf };
  /** USD for a whole token, as the oracle told it then. */
  readonly oraclePrice: Sf;
};

export type TakenAt = { readonly resolution: Resolution; readonly at: ChainTime };

/** What moves is kept in columns, what seldom changes as the bytes of the rest. */
export function reservePoint(
  { address, data, fields, accrued, oraclePrice }: ReserveSnapshot,
  { resolution, at }: TakenAt,
): Extract<Point, { readonly kind: 'reserve' }> {
  const { liquidity, collateral } = fields;
  return {
    ...{ kind: 'reserve', resolution, subject: address, at: at.unix, slot: at.slot },
    config: withoutMoving(data),
    available: liquidity.totalAvailableAmount,
    borrowedSf: accrued.borrowedAmountSf,
    protocolFeesSf: accrued.accumulatedProtocolFeesSf,
    referrerFeesSf: liquidity.accumulatedReferrerFeesSf,
    pendingReferrerFeesSf: accrued.pendingReferrerFeesSf,
    collateralSupply: collateral.mintTotalSupply,
    cumulativeBorrowRate: accrued.cumulativeBorrowRate,
    priceSf: liquidity.marketPriceSf,
    priceAt: liquidity.marketPriceLastUpdatedTs,
    oraclePriceSf: oraclePrice,
    depositLimitCrossedAt: liquidity.depositLimitCrossedTimestamp,
    borrowLimitCrossedAt: liquidity.borrowLimitCrossedTimestamp,
  };
}

/** The reserve as it was, but for counters that no figure of the past is made from. */
export function reserveOfPoint(row: SeriesRow<'reserve'>, config: Uint8Array) {
  const rest = decodedConfig(config);
  const fields: Reserve = {
    ...rest,
    lastUpdate: { ...rest.lastUpdate, slot: row.slot },
    liquidity: {
      ...rest.liquidity,
      totalAvailableAmount: toLamports(row.available),
      borrowedAmountSf: sfFromBits(row.borrowedSf),
      accumulatedProtocolFeesSf: sfFromBits(row.protocolFeesSf),
      accumulatedReferrerFeesSf: sfFromBits(row.referrerFeesSf),
      pendingReferrerFeesSf: sfFromBits(row.pendingReferrerFeesSf),
      cumulativeBorrowRateBsf: {
        ...rest.liquidity.cumulativeBorrowRateBsf,
        value: bsfFromBits(row.cumulativeBorrowRate),
      },
      marketPriceSf: sfFromBits(row.priceSf),
      marketPriceLastUpdatedTs: row.priceAt,
      depositLimitCrossedTimestamp: row.depositLimitCrossedAt,
      borrowLimitCrossedTimestamp: row.borrowLimitCrossedAt,
    },
    collateral: { ...rest.collateral, mintTotalSupply: row.collateralSupply },
  };
  const oraclePrice = sfFromBits(row.oraclePriceSf ?? row.priceSf);
  return { address: row.subject, fields, oraclePrice };
}

/** Many points in a row have the same settings. */
const decodedConfigs = new WeakMap<Uint8Array, Reserve>();

function decodedConfig(config: Uint8Array): Reserve {
  const known = decodedConfigs.get(config);
  if (known !== undefined) return known;
  const decoded = layout.decode({ owner: KLEND_PROGRAM, data: config });
  decodedConfigs.set(config, decoded);
  return decoded;
}

type Span = readonly [start: number, length: number];

const { offsets } = layout;
const inLiquidity = (name: keyof typeof reserveLiquidity.offsets): number =>
  offsets.liquidity + reserveLiquidity.offsets[name];
const inCap = (cap: 'depositWithdrawalCap' | 'debtWithdrawalCap'): number =>
  offsets.config + reserveConfig.offsets[cap] + withdrawalCaps.offsets.currentTotal;

/** Bytes that change without anybody changing a setting. */
const MOVING: readonly Span[] = [
  [offsets.lastUpdate, 10],
  [inLiquidity('totalAvailableAmount'), 8 + 16 + 16 + 8],
  [inLiquidity('depositLimitCrossedTimestamp'), 8 + 8 + 32],
  [inLiquidity('accumulatedProtocolFeesSf'), 3 * 16],
  [inLiquidity('rewardsAmountAvailable'), 8],
  [offsets.collateral + reserveCollateral.offsets.mintTotalSupply, 8],
  [inCap('depositWithdrawalCap'), 16],
  [inCap('debtWithdrawalCap'), 16],
  [offsets.borrowedAmountOutsideElevationGroup, 8 + 32 * 8 + 24],
];

/** Bytes of an account are not written to; most are sampled again and again as they are. */
const made = new WeakMap<Uint8Array, Uint8Array>();

/** Zeros in their place: the same bytes as long as nobody changes a setting. */
function withoutMoving(data: Uint8Array): Uint8Array {
  const known = made.get(data);
  if (known !== undefined) return known;
  const rest = data.slice();
  for (const [start, length] of MOVING) rest.fill(0, start, start + length);
  made.set(data, rest);
  return rest;
}
