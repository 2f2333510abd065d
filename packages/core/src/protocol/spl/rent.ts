/** What an account of that size must hold to live for good: two years of rent, its 128 bytes of overhead included. */
export const rentExemptLamports = (size: number): bigint => BigInt(128 + size) * LAMPORTS_PER_BYTE;

const LAMPORTS_PER_BYTE = 6960n;
