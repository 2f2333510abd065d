import { decodeBase64, encodeBase58 } from '../../../format/bytes.ts';

const SIGNATURE_BYTES = 64;

/** The signature of a signed transaction in base64, which is its first one. */
export const signatureOf = (signed: string): string =>
  encodeBase58(decodeBase64(signed).subarray(1, 1 + SIGNATURE_BYTES));

/** Whether a wallet signed what it was given, so that it expires with the same blockhash. */
export function isSameMessage(signed: string, unsigned: string): boolean {
  const [left, right] = [messageOf(signed), messageOf(unsigned)];
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}

/** Without the signatures, whose number is the first byte. */
function messageOf(transaction: string): Uint8Array {
  const bytes = decodeBase64(transaction);
  return bytes.subarray(1 + (bytes[0] ?? 0) * SIGNATURE_BYTES);
}
