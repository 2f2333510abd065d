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
  const end = bytes.indexOf(0);
  return decoder.decode(end === -1 ? bytes : bytes.subarray(0, end));
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
