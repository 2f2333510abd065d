export const BASE58_ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Converts one big integer digit by digit. Slow, but independent of the code under test. */
export function referenceEncode(bytes: Uint8Array): string {
  let value = BigInt(`0x00${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (; value > 0n; value /= 58n) text = BASE58_ALPHABET.charAt(Number(value % 58n)) + text;
  return '1'.repeat(leading(bytes, 0)) + text;
}

/** Requires valid base58 text. */
export function referenceDecode(text: string): Uint8Array {
  const digits = [...text].map((letter) => BASE58_ALPHABET.indexOf(letter));
  const value = digits.reduce((sum, digit) => sum * 58n + BigInt(digit), 0n);
  const hex = value === 0n ? '' : value.toString(16);
  const tail = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  return Uint8Array.from([...new Uint8Array(leading(digits, 0)), ...tail]);
}

function leading(items: ArrayLike<number>, value: number): number {
  let count = 0;
  while (count < items.length && items[count] === value) count++;
  return count;
}
