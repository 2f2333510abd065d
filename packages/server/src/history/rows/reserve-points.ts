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

/** A reserve with interest and rewards accrued to the slot of the snapshot. */
export type ReservePointInput = {
  readonly address: Address;
  /** From `ReserveConfigCache`. */
  readonly configBytes: Uint8Array;
  readonly fields: Pick<ReserveView, 'liquidity' | 'collateral'>;
  readonly accrued: Pick<
    Reserve['liquidity'],
    | 'totalAvailableAmount'
    | 'borrowedAmountSf'
    | 'accumulatedProtocolFeesSf'
    | 'pendingReferrerFeesSf'
  > & { readonly cumulativeBorrowRate: Bsf };
  /** USD per whole token, from the oracle. */
  readonly oraclePrice: Sf;
};

export type SampleTime = { readonly resolution: Resolution; readonly at: ChainTime };

/** Stores changing values in columns, and the rest as a shared configuration. */
export function toReservePoint(
  { address, configBytes, fields, accrued, oraclePrice }: ReservePointInput,
  { resolution, at }: SampleTime,
): Extract<SeriesPoint, { readonly kind: 'reserve' }> {
  const { liquidity, collateral } = fields;
  return {
    kind: 'reserve',
    resolution,
    subject: address,
    at: at.unix,
    slot: at.slot,
    config: configBytes,
    available: accrued.totalAvailableAmount,
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

/** Restores the reserve, except for counters that no historical figure needs. */
export function fromReservePoint(row: Omit<SeriesRow<'reserve'>, 'bucket'>, config: Uint8Array) {
  const rest = decodedConfig(config);
  const fields: Reserve = {
    ...rest,
    lastUpdate: { ...rest.lastUpdate, slot: row.slot, timestamp: Number(row.at) },
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

/** Consecutive points usually share a configuration. */
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

/** Bytes that change without a change of the configuration. */
const VARYING_SPANS: readonly Span[] = [
  [offsets.lastUpdate, 16],
  [inLiquidity('totalAvailableAmount'), 8 + 16 + 16 + 8],
  [inLiquidity('depositLimitCrossedTimestamp'), 8 + 8 + 32],
  [inLiquidity('accumulatedProtocolFeesSf'), 3 * 16],
  [inLiquidity('rewardsAmountAvailable'), 8],
  [offsets.collateral + reserveCollateral.offsets.mintTotalSupply, 8],
  [inCap('depositWithdrawalCap'), 16],
  [inCap('debtWithdrawalCap'), 16],
  [offsets.borrowedAmountOutsideElevationGroup, 8 + 32 * 8 + 24],
];

/** All other bytes, in account order. */
const CONFIG_SPANS: readonly Span[] = spansBetween(
  VARYING_SPANS.toSorted(([a], [b]) => a - b),
  layout.size,
);

function spansBetween(spans: readonly Span[], size: number): Span[] {
  const ends = [0, ...spans.map(([start, length]) => start + length)];
  const starts = [...spans.map(([start]) => start), size];
  return ends.map((end, index) => [end, (starts[index] ?? size) - end]);
}

/** Reserve accounts with their varying bytes set to zero. */
export class ReserveConfigCache {
  readonly #last = new Map<Address, { readonly data: Uint8Array; readonly config: Uint8Array }>();

  /** Returns the identical array until the configuration changes. `data` is not changed afterwards. */
  configBytes(address: Address, data: Uint8Array): Uint8Array {
    const last = this.#last.get(address);
    // most reserves are sampled several times between two updates
    if (last?.data === data) return last.config;
    const config =
      last !== undefined && hasSameConfig(last.config, data) ? last.config : withoutVarying(data);
    this.#last.set(address, { data, config });
    return config;
  }
}

function withoutVarying(data: Uint8Array): Uint8Array {
  const config = data.slice();
  for (const [start, length] of VARYING_SPANS) config.fill(0, start, start + length);
  return config;
}

function hasSameConfig(before: Uint8Array, now: Uint8Array): boolean {
  const bytes = bufferOf(now);
  const others = bufferOf(before);
  return CONFIG_SPANS.every(([start, length]) => {
    const end = start + length;
    return bytes.compare(others, start, end, start, end) === 0;
  });
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
