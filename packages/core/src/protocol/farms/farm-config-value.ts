import { type Address, addressFromBytes } from '../../base/encoding/address.ts';
import { pubkey, u8, u32, u64 } from '../../base/encoding/layout.ts';
import type { FarmConfigEntry } from './farm-config.ts';

/** A rate from `tsStart` on. */
export type SchedulePoint = { readonly tsStart: bigint; readonly rewardPerTimeUnit: bigint };

/** The value of a setting, with the index of the reward that it is about. */
export type FarmConfigValue =
  | { readonly kind: 'number'; readonly value: bigint; readonly rewardIndex: bigint | undefined }
  | { readonly kind: 'address'; readonly value: Address }
  | {
      readonly kind: 'schedule';
      readonly value: readonly SchedulePoint[];
      readonly rewardIndex: bigint;
    };

const POINT_BYTES = 2 * u64.size;

/** Undefined if the data has another size than a value of the setting. */
export function decodeFarmConfigValue(
  entry: FarmConfigEntry,
  data: Uint8Array,
): FarmConfigValue | undefined {
  if (entry.of === 'farm') return decodeValue(entry.type, data, undefined);
  if (data.length < u64.size) return undefined;
  return decodeValue(entry.type, data.subarray(u64.size), u64At(data, 0));
}

function decodeValue(
  type: FarmConfigEntry['type'],
  data: Uint8Array,
  rewardIndex: bigint | undefined,
): FarmConfigValue | undefined {
  const numberOf = (value: bigint | undefined): FarmConfigValue | undefined =>
    value === undefined ? undefined : { kind: 'number', value, rewardIndex };
  switch (type) {
    case 'address':
      return data.length === pubkey.size
        ? { kind: 'address', value: addressFromBytes(data) }
        : undefined;
    case 'u64':
    case 'rate':
    case 'claim interval':
      return numberOf(data.length === u64.size ? u64At(data, 0) : undefined);
    case 'leading u64':
      return numberOf(data.length >= u64.size ? u64At(data, 0) : undefined);
    case 'u32':
      return numberOf(data.length === u32.size ? BigInt(u32.decode(viewOf(data), 0)) : undefined);
    case 'flag':
      return numberOf(data[0] === 0 || data[0] === 1 ? BigInt(data[0]) : undefined);
    case 'reward type':
    case 'rate decimals':
      return numberOf(data.length >= u8.size ? BigInt(data[0] ?? 0) : undefined);
    case 'schedule':
      return decodeSchedule(data, rewardIndex ?? 0n);
  }
}

/** A count in 4 bytes, then the points. */
function decodeSchedule(data: Uint8Array, rewardIndex: bigint): FarmConfigValue | undefined {
  if (data.length < u32.size) return undefined;
  const count = u32.decode(viewOf(data), 0);
  if (data.length !== u32.size + count * POINT_BYTES) return undefined;
  const value = Array.from({ length: count }, (_, i) => ({
    tsStart: u64At(data, u32.size + i * POINT_BYTES),
    rewardPerTimeUnit: u64At(data, u32.size + i * POINT_BYTES + u64.size),
  }));
  return { kind: 'schedule', value, rewardIndex };
}

const viewOf = (data: Uint8Array): DataView =>
  new DataView(data.buffer, data.byteOffset, data.length);

const u64At = (data: Uint8Array, offset: number): bigint => u64.decode(viewOf(data), offset);
