import { sha256 } from '@noble/hashes/sha2.js';
import { bytesFromText } from '@tidegate/core/base';

/** Deterministic pseudo-random numbers: the same seed gives the same sequence on any machine. */
export type SeededRandom = {
  /** Both bounds are inclusive. */
  between(min: bigint, max: bigint): bigint;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
};

export function createSeededRandom(seed: string): SeededRandom {
  let drawn = 0;
  const next = (): bigint => {
    const hash = sha256(bytesFromText(`${seed}/dice/${drawn++}`));
    return new DataView(hash.buffer, hash.byteOffset).getBigUint64(0, true);
  };
  const between = (min: bigint, max: bigint): bigint => min + (next() % (max - min + 1n));
  return {
    between,
    pick: (items) => items[Number(between(0n, BigInt(items.length - 1)))] ?? items[0],
  };
}
