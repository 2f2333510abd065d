/** The rent-exempt minimum: two years of rent, including 128 bytes of overhead. */
export const rentExemptLamports = (size: number): bigint => BigInt(128 + size) * LAMPORTS_PER_BYTE;

const LAMPORTS_PER_BYTE = 6960n;
