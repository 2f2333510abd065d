import type { Slot } from '@tidegate/core/base';

const BILLION = 1_000_000_000n;

/** Largest swing in parts per billion, and slots between two turning points. */
const WAVES = [
  { slots: 4n, swing: 150_000n },
  { slots: 64n, swing: 700_000n },
  { slots: 1_024n, swing: 3_000_000n },
  { slots: 65_536n, swing: 12_000_000n },
];

/** Stablecoins move by this fraction. */
const STABLE_DIVISOR = 40n;

/** A known price that the walk continues from. */
export type PriceAnchor = { readonly value: bigint; readonly slot: Slot };

export type PriceWalk = { readonly key: string; readonly isStable: boolean };

/**
 * The price in a slot, rounded down: a sum of piecewise linear waves between seeded points. It
 * depends on the slot only, so skipped slots do not matter. It stays within about 1.6 % of its
 * mean.
 */
export function priceAtSlot(walk: PriceWalk, anchor: PriceAnchor, slot: Slot): bigint {
  const level = (at: Slot) => BILLION + drift(walk.key, at) / (walk.isStable ? STABLE_DIVISOR : 1n);
  return (anchor.value * level(slot)) / level(anchor.slot);
}

function drift(key: string, slot: Slot): bigint {
  return WAVES.reduce((sum, { slots, swing }, wave) => {
    const step = slot / slots;
    const from = seededPoint(key, wave, step);
    const to = seededPoint(key, wave, step + 1n);
    const height = from * slots + (to - from) * (slot % slots);
    return sum + (height * swing) / (slots * BILLION);
  }, 0n);
}

/** Between minus and plus one billion. */
function seededPoint(key: string, wave: number, step: bigint): bigint {
  return ((BigInt(hashToUint32(`${key}/${wave}/${step}`)) * (2n * BILLION + 1n)) >> 32n) - BILLION;
}

/** A non-cryptographic 32-bit hash: FNV-1a with a final mix. */
export function hashToUint32(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
