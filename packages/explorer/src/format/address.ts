import { decodeBase58 } from './bytes.ts';

const SHOWN = 4;

/** `7u3H…5PfF`. */
export const shortenAddress = (address: string): string =>
  address.length <= 2 * SHOWN + 1 ? address : `${address.slice(0, SHOWN)}…${address.slice(-SHOWN)}`;

/** Of a signature; a longer text is not decoded. */
const MAX_LENGTH = 88;

const isOfBytes = (text: string, bytes: number): boolean =>
  text.length <= MAX_LENGTH && decodeBase58(text)?.length === bytes;

/** Whether a text is the address of an account: 32 bytes in base58. */
export const isAddress = (text: string): boolean => isOfBytes(text, 32);

/** Whether a text is the signature of a transaction: 64 bytes in base58. */
export const isSignature = (text: string): boolean => isOfBytes(text, 64);
