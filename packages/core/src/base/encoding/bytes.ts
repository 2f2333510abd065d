import { CodedError } from '../errors.ts';

const HEX = /^(?:[0-9a-f]{2})*$/;
const hexOf = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Decodes lower-case hex, such as a discriminator constant. */
export function bytesFromHex(text: string): Uint8Array {
  if (!HEX.test(text)) throw malformed('hex', 'it is not pairs of lower-case hex digits');
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

export function bytesToHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += hexOf[byte];
  return text;
}

export function bytesFromText(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Decodes a fixed-size text field up to its first zero byte. Invalid UTF-8 becomes the replacement character. */
export function bytesToText(bytes: Uint8Array): string {
  const found = bytes.indexOf(0);
  const end = found === -1 ? bytes.length : found;
  const ascii = end <= MAX_SHORT_TEXT ? asciiText(bytes, end) : undefined;
  return ascii ?? decoder.decode(bytes.subarray(0, end));
}

/** Names on chain are at most this long. A decoder takes longer to call than to decode them. */
const MAX_SHORT_TEXT = 40;

/** Undefined if a byte is not ASCII. */
function asciiText(bytes: Uint8Array, end: number): string | undefined {
  let text = '';
  for (let i = 0; i < end; i++) {
    const code = bytes[i] ?? 0;
    if (code >= 0x80) return undefined;
    text += String.fromCharCode(code);
  }
  return text;
}

export function bytesEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

function malformed(what: string, reason: string): CodedError {
  return new CodedError('MALFORMED_DATA', { what, reason });
}
