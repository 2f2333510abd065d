import type { Address } from '#core/base/encoding/address.ts';
import { ONE_BSF } from '#core/base/numbers/big-scaled-fraction.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { type Sf, sfFromBits, sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { ReserveConfigCache, toReservePoint } from '#server/history/rows/reserve-points.ts';
import type { Resolution, SeriesPoint } from '#server/history/schema/series-tables.ts';
import { goldenMarket, goldenReserve } from '../golden/golden-addresses.ts';
import { goldenReader } from '../golden/golden-reader.ts';

export const GOLDEN_MARKET = goldenMarket('Main Market').address;
export const SOL_RESERVE = goldenReserve('Main Market', 'SOL').address;
export const USDC_RESERVE = goldenReserve('Main Market', 'USDC').address;

let reader: ReturnType<typeof goldenReader> | undefined;

/** Cached, because a long history has many snapshots of the same account. */
function readGoldenReserve(address: Address) {
  reader ??= goldenReader();
  const held = reader.reserve(address);
  if (held === undefined) throw new Error(`no golden reserve ${address}`);
  return held;
}

export type ReservePointFields = {
  readonly reserve: Address;
  readonly at: bigint;
  readonly slot: bigint;
  readonly resolution?: Resolution;
  /** In base units; all liquidity is available by default. */
  readonly available?: bigint;
  readonly borrowed?: bigint;
  readonly collateral?: bigint;
  /** USD per whole token, scaled by 2^60. */
  readonly price?: Sf;
  readonly storedPrice?: Sf;
  /** Cumulative borrow rate, scaled by 2^60. */
  readonly cumulativeRate?: bigint;
};

/** A golden reserve with its current configuration and simple amounts: no fees, and one cToken per token. */
export function goldenReservePoint(
  then: ReservePointFields,
): Extract<SeriesPoint, { readonly kind: 'reserve' }> {
  const { reserve, resolution = 'minute', available = 0n, borrowed = 0n } = then;
  const { data, fields } = readGoldenReserve(reserve);
  const at = { unix: toUnixSeconds(then.at), slot: toSlot(then.slot) };
  const price = then.price ?? sfFromInt(1n);
  const configBytes = new ReserveConfigCache().configBytes(reserve, data);
  const accrued = {
    totalAvailableAmount: toLamports(available),
    borrowedAmountSf: sfFromInt(borrowed),
    accumulatedProtocolFeesSf: sfFromBits(0n),
    pendingReferrerFeesSf: sfFromBits(0n),
    cumulativeBorrowRate: ONE_BSF,
  };
  return {
    ...toReservePoint(
      { address: reserve, configBytes, fields, accrued, oraclePrice: price },
      { resolution, at },
    ),
    available,
    collateralSupply: then.collateral ?? available + borrowed,
    cumulativeBorrowRate: then.cumulativeRate ?? ONE_BSF,
    priceSf: then.storedPrice ?? price,
    referrerFeesSf: 0n,
  };
}
