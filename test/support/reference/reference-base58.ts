export const BASE58_ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** One big number, one digit at a time: slow, and not the way the code under test goes. */
export function referenceEncode(bytes: Uint8Array): string {
  let value = BigInt(`0x00${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (; value > 0n; value /= 58n) text = BASE58_ALPHABET.charAt(Number(value % 58n)) + text;
  return '1'.repeat(leading(bytes, 0)) + text;
}

/** Of text that has no other letters. */
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
