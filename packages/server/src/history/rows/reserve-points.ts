import {
  type Address,
  type Bsf,
  bsfFromBits,
  type ChainTime,
  type Sf,
  sfFromBits,
  toLamports,
} from '@tidegate/core/base';
import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import {
  reserve as layout,
  type Reserve,
  type ReserveView,
  reserveCollateral,
  reserveConfig,
  reserveLiquidity,
  withdrawalCaps,
} from '@tidegate/core/protocol/klend/layout';
import type { Resolution, SeriesPoint, SeriesRow } from '../schema/series-tables.ts';

/** A reserve of which the interest was brought to the slot of the snapshot. */
export type ReservePointInput = {
  readonly address: Address;
  /** As `ReserveSettings` has them. */
  readonly settings: Uint8Array;
  readonly fields: Pick<ReserveView, 'liquidity' | 'collateral'>;
  readonly accrued: Pick<
    Reserve['liquidity'],
    'borrowedAmountSf' | 'accumulatedProtocolFeesSf' | 'pendingReferrerFeesSf'
  > & { readonly cumulativeBorrowRate: Bsf };
  /** USD for a whole token, as the oracle told it then. */
  readonly oraclePrice: Sf;
};

export type SampleTime = { readonly resolution: Resolution; readonly at: ChainTime };

/** What moves is kept in columns, what seldom changes as the bytes of the rest. */
export function toReservePoint(
  { address, settings, fields, accrued, oraclePrice }: ReservePointInput,
  { resolution, at }: SampleTime,
): Extract<SeriesPoint, { readonly kind: 'reserve' }> {
  const { liquidity, collateral } = fields;
  return {
    kind: 'reserve',
    resolution,
    subject: address,
    at: at.unix,
    slot: at.slot,
    config: settings,
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
export function fromReservePoint(row: Omit<SeriesRow<'reserve'>, 'bucket'>, config: Uint8Array) {
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

/** All others: what is between them, in the order of the account. */
const SETTINGS: readonly Span[] = spansBetween(
  MOVING.toSorted(([a], [b]) => a - b),
  layout.size,
);

function spansBetween(spans: readonly Span[], size: number): Span[] {
  const ends = [0, ...spans.map(([start, length]) => start + length)];
  const starts = [...spans.map(([start]) => start), size];
  return ends.map((end, place) => [end, (starts[place] ?? size) - end]);
}

/** The accounts of reserves without what moves, with zeros in its place. */
export class ReserveConfigCache {
  readonly #last = new Map<Address, Uint8Array>();

  /** The very same bytes until somebody changes a setting: most are sampled again and again as they are. */
  of(address: Address, data: Uint8Array): Uint8Array {
    const last = this.#last.get(address);
    if (last !== undefined && isOnlyMoved(last, data)) return last;
    const rest = data.slice();
    for (const [start, length] of MOVING) rest.fill(0, start, start + length);
    this.#last.set(address, rest);
    return rest;
  }
}

function isOnlyMoved(before: Uint8Array, now: Uint8Array): boolean {
  const bytes = bufferOf(now);
  const others = bufferOf(before);
  return SETTINGS.every(([start, length]) => {
    const end = start + length;
    return bytes.compare(others, start, end, start, end) === 0;
  });
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
