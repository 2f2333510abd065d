import { CodedError } from '../errors.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

const charValues = new Uint8Array(128).fill(255);
for (let value = 0; value < 64; value++) charValues[ALPHABET.charCodeAt(value)] = value;

/** Accepts only canonical base64: padded, no other characters, no spare bits. */
export function decodeBase64(text: string, what = 'base64'): Uint8Array {
  if (text.length % 4 !== 0) throw malformed(what, 'its length is not a multiple of 4');
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const charCount = text.length - padding;
  const bytes = new Uint8Array((charCount * 3) >> 2);
  let at = 0;
  let bits = 0;
  let buffered = 0;
  for (let i = 0; i < charCount; i++) {
    const value = charValues[text.charCodeAt(i)] ?? 255;
    if (value === 255) throw malformed(what, `character ${i + 1} is not base64`);
    buffered = (buffered << 6) | value;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = buffered >> bits;
      buffered &= (1 << bits) - 1;
    }
  }
  if (buffered !== 0) throw malformed(what, 'its last character has spare bits');
  return bytes;
}

export function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const remaining = bytes.length - i;
    const word = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    text += ALPHABET.charAt(word >> 18) + ALPHABET.charAt((word >> 12) & 63);
    text += remaining > 1 ? ALPHABET.charAt((word >> 6) & 63) : '=';
    text += remaining > 2 ? ALPHABET.charAt(word & 63) : '=';
  }
  return text;
}

function malformed(what: string, reason: string): CodedError {
  return new CodedError('MALFORMED_DATA', { what, reason });
}
