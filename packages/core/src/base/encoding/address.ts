import type { Brand } from '../brand.ts';
import { CodedError } from '../errors.ts';
import { decodeBase58, encodeBase58 } from './base58.ts';

/** Base58 text of exactly 32 bytes. */
export type Address = Brand<string, 'Address'>;

export const ADDRESS_BYTES = 32;
/** 32 zero bytes encode to 32 characters, 32 bytes of 0xff to 44. */
const MIN_LENGTH = 32;
const MAX_LENGTH = 44;

/** The programs use it for an absent value: no farm, no referrer, an unused entry. Also the id of the system program. */
export const ZERO_ADDRESS = '11111111111111111111111111111111' as Address;

export const nonZeroAddress = (address: Address): Address | undefined =>
  address === ZERO_ADDRESS ? undefined : address;

/** Parses untrusted text. Returns undefined unless it is the base58 encoding of 32 bytes. */
export function parseAddress(text: string): Address | undefined {
  if (text.length < MIN_LENGTH || text.length > MAX_LENGTH) return undefined;
  return decodeBase58(text)?.length === ADDRESS_BYTES ? (text as Address) : undefined;
}

/** Parses text that must be an address, such as a constant or a setting. */
export function toAddress(text: string): Address {
  const address = parseAddress(text);
  if (address === undefined) throw new CodedError('INVALID_ADDRESS', { text });
  return address;
}

export function addressToBytes(address: Address): Uint8Array {
  const bytes = decodeBase58(address);
  if (bytes?.length !== ADDRESS_BYTES) throw new CodedError('INVALID_ADDRESS', { text: address });
  return bytes;
}

export function addressFromBytes(bytes: Uint8Array): Address {
  if (bytes.length !== ADDRESS_BYTES) {
    const reason = `an address has ${ADDRESS_BYTES} bytes, not ${bytes.length}`;
    throw new CodedError('MALFORMED_DATA', { what: 'address', reason });
  }
  return encodeBase58(bytes) as Address;
}
