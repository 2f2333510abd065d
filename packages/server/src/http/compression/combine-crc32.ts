/** The CRC-32 polynomial; as all values here, its highest bit is the coefficient of the lowest power. */
const POLYNOMIAL = 0xed_b8_83_20;
const X_TO_0 = 0x80_00_00_00;
const X_TO_1 = 0x40_00_00_00;

/** The checksum of two texts in a row. `length` is that of the second text in bytes. */
export const combineCrc32 = (first: number, second: number, length: number): number =>
  (multiply(xToBytes(length), first) ^ second) >>> 0;

/** Powers x^1, x^2, x^4, x^8, … modulo the polynomial. They repeat after 32 of them. */
const powers: readonly number[] = Array.from({ length: 31 }).reduce<number[]>(
  (list) => [...list, multiply(list.at(-1) ?? 0, list.at(-1) ?? 0)],
  [X_TO_1],
);

/** x to the power of the number of bits in `bytes` bytes, modulo the polynomial. */
function xToBytes(bytes: number): number {
  let result = X_TO_0;
  // a byte has 2^3 bits
  for (let [rest, bit] = [bytes, 3]; rest > 0; rest = Math.floor(rest / 2), bit += 1) {
    if (rest % 2 === 1) result = multiply(powers[bit % powers.length] ?? 0, result);
  }
  return result;
}

/** Product modulo the polynomial. */
function multiply(a: number, b: number): number {
  let product = 0;
  let shifted = b;
  for (let bit = X_TO_0; bit > 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= shifted;
    shifted = (shifted & 1) === 0 ? shifted >>> 1 : (shifted >>> 1) ^ POLYNOMIAL;
  }
  return product >>> 0;
}
