import { ADDRESS_BYTES, type Address, addressToBytes } from '../base/encoding/address.ts';

/** An address as text and as bytes, because converting is slower than a lookup. */
export type AddressKey = { readonly address: Address; readonly bytes: DataView };

export function addressKey(address: Address): AddressKey {
  return { address, bytes: bytesToView(addressToBytes(address)) };
}

export function bytesToView(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

export function keyBytes(columns: DataView, offset: number): Uint8Array {
  return new Uint8Array(columns.buffer, columns.byteOffset + offset, ADDRESS_BYTES);
}
