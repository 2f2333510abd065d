import { type Address, addressToBytes } from '../base/encoding/address.ts';

/** An address as text and as bytes, because converting is slower than a lookup. */
export type AddressKey = { readonly address: Address; readonly bytes: DataView };

export function addressKey(address: Address): AddressKey {
  return { address, bytes: bytesToView(addressToBytes(address)) };
}

export function bytesToView(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
