import { createHash } from 'node:crypto';

/** A whole number from 0 to `limit` - 1. */
export type Random = (limit: number) => number;

/** Numbers that depend only on the seed. */
export function createRandom(seed: string): Random {
  let drawn = 0;
  return (limit) => {
    const hash = createHash('sha256').update(`${seed} ${drawn}`).digest();
    drawn += 1;
    return Number(hash.readBigUInt64LE() % BigInt(limit));
  };
}
