import { sha256 } from '@noble/hashes/sha2.js';
import { bytesFromText } from '@tidegate/core/base';

/** Numbers that look random and are the same for the same seed, on any machine. */
export type SeededRandom = {
  /** Both ends included. */
  between(least: bigint, most: bigint): bigint;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
};

export function createSeededRandom(seed: string): SeededRandom {
  let thrown = 0;
  const next = (): bigint => {
    const hash = sha256(bytesFromText(`${seed}/dice/${thrown++}`));
    return new DataView(hash.buffer, hash.byteOffset).getBigUint64(0, true);
  };
  const between = (least: bigint, most: bigint): bigint => least + (next() % (most - least + 1n));
  return {
    between,
    pick: (items) => items[Number(between(0n, BigInt(items.length - 1)))] ?? items[0],
  };
}
