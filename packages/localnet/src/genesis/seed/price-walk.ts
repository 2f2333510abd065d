import type { Slot } from '@tidegate/core/base';

const BILLION = 1_000_000_000n;

/** A wave swings by so many parts in a billion at most; it may turn every so many slots. */
const WAVES = [
  { slots: 4n, swing: 150_000n },
  { slots: 64n, swing: 700_000n },
  { slots: 1_024n, swing: 3_000_000n },
  { slots: 65_536n, swing: 12_000_000n },
];

/** What is meant to be a dollar moves by this share of what others do. */
const STABLE_DIVISOR = 40n;

/** A price that was seen in a slot, from which it goes on. */
export type PriceAnchor = { readonly value: bigint; readonly slot: Slot };

export type PriceWalk = { readonly key: string; readonly isStable: boolean };

/**
 * Where the price is in a slot: the sum of some waves, each a straight line between points that the seed gives.
 * A function of the slot alone, so that skipped slots and another machine change nothing; at most about 1.6 % around
 * a middle. Rounded down.
 */
export function priceAtSlot(walk: PriceWalk, anchor: PriceAnchor, slot: Slot): bigint {
  const level = (at: Slot) => BILLION + drift(walk.key, at) / (walk.isStable ? STABLE_DIVISOR : 1n);
  return (anchor.value * level(slot)) / level(anchor.slot);
}

function drift(key: string, slot: Slot): bigint {
  return WAVES.reduce((sum, { slots, swing }, wave) => {
    const place = slot / slots;
    const from = pointOf(key, wave, place);
    const to = pointOf(key, wave, place + 1n);
    const height = from * slots + (to - from) * (slot % slots);
    return sum + (height * swing) / (slots * BILLION);
  }, 0n);
}

/** From minus to plus one billion. */
function pointOf(key: string, wave: number, place: bigint): bigint {
  return ((BigInt(hashToUint32(`${key}/${wave}/${place}`)) * (2n * BILLION + 1n)) >> 32n) - BILLION;
}

/** 32 bits that depend on every letter (FNV-1a, mixed once more); nothing here has to be hard to guess. */
export function hashToUint32(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
