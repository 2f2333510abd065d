const P = (1n << 255n) - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;
const Y_MASK = (1n << 255n) - 1n;

/** Nine limbs of 30 bits hold every number below 2^256. The sum of two limbs fits in a 32-bit integer. */
const LIMBS = 9;
const LIMB_BITS = 30;
const LIMB_MASK = 2 ** LIMB_BITS - 1;
const P_LIMBS = toLimbs(P);

/**
 * Whether 32 bytes are a compressed point on the ed25519 curve. As on the cluster, this means that
 * x^2 = (y^2 - 1) / (d y^2 + 1) has a solution. The sign bit and a y above the prime are allowed.
 */
export function isOnCurve(bytes: Uint8Array): boolean {
  const y = (littleEndian(bytes) & Y_MASK) % P;
  const ySquared = (y * y) % P;
  // a / b is a square if and only if a * b is, so no inverse is needed.
  const product = ((ySquared + P - 1n) * (D * ySquared + 1n)) % P;
  return product === 0n || isSquare(product);
}

function littleEndian(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const low = (view.getBigUint64(8, true) << 64n) | view.getBigUint64(0, true);
  const high = (view.getBigUint64(24, true) << 64n) | view.getBigUint64(16, true);
  return (high << 128n) | low;
}

/**
 * Whether a nonzero number below P is a square modulo P, by quadratic reciprocity. Subtracting and halving limbs takes
 * a third of the time of bigint division.
 */
function isSquare(value: bigint): boolean {
  let a: Int32Array = toLimbs(value);
  let n: Int32Array = P_LIMBS.slice();
  let sign = 1;
  let size = LIMBS;
  for (;;) {
    const twos = halve(a, size);
    const nLow = n[0] ?? 0;
    // (2/n) is -1 for n of 3 and 5 modulo 8
    if ((twos & 1) === 1 && ((nLow + 2) & 4) !== 0) sign = -sign;
    const order = compare(a, n, size);
    // both are 1, the greatest common divisor of a number and a prime
    if (order === 0) return sign === 1;
    if (order < 0) {
      if (((a[0] ?? 0) & nLow & 2) !== 0) sign = -sign;
      [a, n] = [n, a];
    }
    subtract(a, n, size);
    while (size > 1 && a[size - 1] === 0 && n[size - 1] === 0) size--;
  }
}

/** Low limb first. */
function toLimbs(value: bigint): Int32Array {
  const limbs = new Int32Array(LIMBS);
  let rest = value;
  for (let i = 0; i < LIMBS; i++, rest >>= BigInt(LIMB_BITS)) {
    limbs[i] = Number(BigInt.asUintN(LIMB_BITS, rest));
  }
  return limbs;
}

/** Divides by two until the number is odd. Returns the number of divisions. */
function halve(a: Int32Array, size: number): number {
  let halved = 0;
  while (a[0] === 0) {
    a.copyWithin(0, 1, size);
    a[size - 1] = 0;
    halved += LIMB_BITS;
  }
  const low = a[0] ?? 0;
  const twos = 31 - Math.clz32(low & -low);
  if (twos === 0) return halved;
  const leftShift = LIMB_BITS - twos;
  let limb = low;
  for (let i = 0; i < size; i++) {
    const next = i + 1 < size ? (a[i + 1] ?? 0) : 0;
    a[i] = (limb >>> twos) | ((next << leftShift) & LIMB_MASK);
    limb = next;
  }
  return halved + twos;
}

/** Negative, zero or positive if `a` is below, equal to or above `b`. */
function compare(a: Int32Array, b: Int32Array, size: number): number {
  for (let i = size - 1; i >= 0; i--) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** `a -= b`. Requires `a >= b`. */
function subtract(a: Int32Array, b: Int32Array, size: number): void {
  let borrow = 0;
  for (let i = 0; i < size; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0) + borrow;
    a[i] = difference & LIMB_MASK;
    borrow = difference >> 31;
  }
}
