const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const KEY_BYTES = 32;

/** Entries per generation of the cache. */
const MAX_ENTRIES = 2048;

/** Addresses by their bytes, in two generations. A transaction names the same few accounts again and again. */
let recent = new Map<string, string>();
let older = new Map<string, string>();

/** The address of the 32 bytes at `offset`. */
export function addressAt(bytes: Uint8Array, offset = 0): string {
  const key = bytes.subarray(offset, offset + KEY_BYTES);
  const text = Reflect.apply(String.fromCharCode, undefined, key);
  const cached = recent.get(text);
  if (cached !== undefined) return cached;
  const address = older.get(text) ?? encode(key);
  if (recent.size === MAX_ENTRIES) [older, recent] = [recent, new Map()];
  recent.set(text, address);
  return address;
}

function encode(key: Uint8Array): string {
  let value = 0n;
  for (const byte of key) value = (value << 8n) | BigInt(byte);
  let text = '';
  for (; value > 0n; value /= 58n) text = ALPHABET.charAt(Number(value % 58n)) + text;
  let zeros = 0;
  while (zeros < key.length && key[zeros] === 0) zeros++;
  return '1'.repeat(zeros) + text;
}

/** Undefined unless the text is the base58 form of 32 bytes. */
export function addressBytes(text: string): Uint8Array | undefined {
  if (text.length < KEY_BYTES || text.length > 44) return undefined;
  let value = 0n;
  for (const letter of text) {
    const digit = ALPHABET.indexOf(letter);
    if (digit < 0) return undefined;
    value = value * 58n + BigInt(digit);
  }
  const bytes = new Uint8Array(KEY_BYTES);
  for (let at = KEY_BYTES - 1; at >= 0; at--, value >>= 8n) bytes[at] = Number(value & 255n);
  return value === 0n && addressAt(bytes) === text ? bytes : undefined;
}

export const isAddress = (text: string): boolean => addressBytes(text) !== undefined;
