import { base58 } from '@scure/base';
import type { Brand } from './brand.ts';

/** Base58 text of exactly 32 bytes. */
export type Address = Brand<string, 'Address'>;

const ADDRESS_BYTES = 32;
/** 32 zero bytes are 32 characters, 32 bytes of 0xff are 44. */
const MIN_LENGTH = 32;
const MAX_LENGTH = 44;

/** Untrusted text to an address; undefined for anything that is not the base58 form of 32 bytes. */
export function parseAddress(text: string): Address | undefined {
  if (text.length < MIN_LENGTH || text.length > MAX_LENGTH) return undefined;
  return decodedLength(text) === ADDRESS_BYTES ? (text as Address) : undefined;
}

function decodedLength(text: string): number {
  try {
    return base58.decode(text).length;
  } catch {
    return -1;
  }
}
