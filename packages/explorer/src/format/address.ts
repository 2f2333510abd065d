const SHOWN = 4;

/** `7u3H…5PfF`. */
export const shortenAddress = (address: string): string =>
  address.length <= 2 * SHOWN + 1 ? address : `${address.slice(0, SHOWN)}…${address.slice(-SHOWN)}`;

const BASE58 = /^[1-9A-HJ-NP-Za-km-z]+$/;

/** Whether a text can be the address of an account: 32 bytes in base58. */
export const isAddress = (text: string): boolean =>
  text.length >= 32 && text.length <= 44 && BASE58.test(text);

/** Whether a text can be the signature of a transaction: 64 bytes in base58. */
export const isSignature = (text: string): boolean =>
  text.length >= 86 && text.length <= 88 && BASE58.test(text);
