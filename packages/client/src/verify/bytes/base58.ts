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

/** Letters whose number is exact in floating point: 58^9 is less than 2^53. */
const LETTERS = 9;

/** Undefined unless the text is the base58 form of 32 bytes. */
export function addressBytes(text: string): Uint8Array | undefined {
  if (text.length < KEY_BYTES || text.length > 44) return undefined;
  let value = 0n;
  for (let at = 0; at < text.length; at += LETTERS) {
    const letters = text.slice(at, at + LETTERS);
    let number = 0;
    for (const letter of letters) {
      const digit = ALPHABET.indexOf(letter);
      if (digit < 0) return undefined;
      number = number * 58 + digit;
    }
    value = value * BigInt(58 ** letters.length) + BigInt(number);
  }
  const bytes = new Uint8Array(KEY_BYTES);
  const view = new DataView(bytes.buffer);
  for (let at = KEY_BYTES - 8; at >= 0; at -= 8, value >>= 64n) view.setBigUint64(at, value);
  return value === 0n && addressAt(bytes) === text ? bytes : undefined;
}

/** Addresses that were found valid, in two generations: chain data and lookup tables name the same ones each time. */
let valid = new Set<string>();
let olderValid = new Set<string>();

export function isAddress(text: string): boolean {
  if (valid.has(text)) return true;
  if (!olderValid.has(text) && addressBytes(text) === undefined) return false;
  if (valid.size === MAX_ENTRIES) [olderValid, valid] = [valid, new Set()];
  valid.add(text);
  return true;
}
