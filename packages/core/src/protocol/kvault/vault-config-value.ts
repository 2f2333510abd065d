import { type Address, addressFromBytes, addressToBytes } from '../../base/encoding/address.ts';
import { pubkey, u8, u64 } from '../../base/encoding/layout.ts';
import type { VaultConfigEntry } from './vault-config.ts';

/** The value of a setting: a number, an address, or the bytes of a name. */
export type VaultConfigValue = bigint | Address | Uint8Array;

/** Decodes the value of a setting. Undefined if the data has another size: the program accepts no trailing bytes. */
export function decodeVaultConfigValue(
  { type }: Pick<VaultConfigEntry, 'type'>,
  data: Uint8Array,
): VaultConfigValue | undefined {
  switch (type) {
    case 'name':
      return data;
    case 'address':
      return data.length === pubkey.size ? addressFromBytes(data) : undefined;
    case 'flag':
      return data.length === u8.size ? BigInt(data[0] ?? 0) : undefined;
    case 'u64':
    case 'rewardPerSecond':
      return data.length === u64.size ? u64.decode(viewOf(data), 0) : undefined;
  }
}

/** Encodes a value of the type of the setting. */
export function encodeVaultConfigValue(
  { type }: Pick<VaultConfigEntry, 'type'>,
  value: VaultConfigValue,
): Uint8Array {
  if (typeof value === 'string') return addressToBytes(value);
  if (typeof value !== 'bigint') return value;
  if (type === 'flag') return Uint8Array.of(Number(value));
  const data = new Uint8Array(u64.size);
  u64.encode(viewOf(data), 0, value);
  return data;
}

const viewOf = (data: Uint8Array): DataView =>
  new DataView(data.buffer, data.byteOffset, data.length);
