import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { ONE_BSF } from '#core/base/numbers/big-scaled-fraction.ts';
import { type Sf, sfFromBits, sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { ReserveConfigCache, toReservePoint } from '#server/history/rows/reserve-points.ts';
import type { Resolution, SeriesPoint } from '#server/history/schema/series-tables.ts';
import { goldenReader } from '../golden/golden-reader.ts';

export const GOLDEN_MARKET = toAddress('9VUb8vXKtjT4xWpe72Sfo3yGWKCaK6Xf9GMnB8xDsyES');
export const SOL_RESERVE = toAddress('4YBrhwpzdrgQgz8AFvD6JBD1Yq3QZZEx4hySgNdufAJm');
export const USDC_RESERVE = toAddress('EFgyTYM3phbLR5fPdTHVroHLqLeJFveYqR7r8Bjbmws9');

let reader: ReturnType<typeof goldenReader> | undefined;

/** Accounts are read once, as a long history has many snapshots of the same. */
function goldenReserve(address: Address) {
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
  /** In smallest units; everything is available if nothing is said. */
  readonly available?: bigint;
  readonly borrowed?: bigint;
  readonly collateral?: bigint;
  /** USD for a whole token, times 2^60. */
  readonly price?: Sf;
  readonly storedPrice?: Sf;
  /** What a debt of one has become, times 2^60. */
  readonly cumulativeRate?: bigint;
};

/** A reserve of the golden cluster with its settings of now, and with plain amounts: no fees, a cToken for a token. */
export function goldenReservePoint(
  then: ReservePointFields,
): Extract<SeriesPoint, { readonly kind: 'reserve' }> {
  const { reserve, resolution = 'minute', available = 0n, borrowed = 0n } = then;
  const { data, fields } = goldenReserve(reserve);
  const at = { unix: toUnixSeconds(then.at), slot: toSlot(then.slot) };
  const price = then.price ?? sfFromInt(1n);
  const configBytes = new ReserveConfigCache().configBytes(reserve, data);
  const accrued = {
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
