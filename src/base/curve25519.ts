const P = (1n << 255n) - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;
const Y_MASK = (1n << 255n) - 1n;

/**
 * Whether 32 bytes are the compressed form of a point of the ed25519 curve, by the cluster's rule:
 * x^2 = (y^2 - 1) / (d y^2 + 1) has a solution. The sign bit and a y above the prime do not matter.
 */
export function isOnCurve(bytes: Uint8Array): boolean {
  const y = (littleEndian(bytes) & Y_MASK) % P;
  const ySquared = (y * y) % P;
  // A quotient is a square when the product is one: no inverse is needed.
  const product = ((ySquared + P - 1n) * (D * ySquared + 1n)) % P;
  return product === 0n || jacobi(product, P) === 1;
}

function littleEndian(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const low = (view.getBigUint64(8, true) << 64n) | view.getBigUint64(0, true);
  const high = (view.getBigUint64(24, true) << 64n) | view.getBigUint64(16, true);
  return (high << 128n) | low;
}

/** 1 for a square modulo the odd prime `modulus`, -1 for a non-square, by quadratic reciprocity. */
function jacobi(value: bigint, modulus: bigint): number {
  let a = value;
  let n = modulus;
  let sign = 1;
  while (a !== 0n) {
    const twos = trailingZeros(a);
    a >>= BigInt(twos);
    const nLow = Number(BigInt.asUintN(3, n));
    if (twos % 2 === 1 && (nLow === 3 || nLow === 5)) sign = -sign;
    if ((nLow & 3) === 3 && Number(BigInt.asUintN(2, a)) === 3) sign = -sign;
    [a, n] = [n % a, a];
  }
  return sign;
}

function trailingZeros(value: bigint): number {
  let zeros = 0;
  let rest = value;
  for (;;) {
    const low = Number(BigInt.asUintN(32, rest));
    if (low !== 0) return zeros + 31 - Math.clz32(low & -low);
    zeros += 32;
    rest >>= 32n;
  }
}
