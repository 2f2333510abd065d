import { sha256 } from '@noble/hashes/sha2.js';
import { bytesFromText, encodeBase58, type Slot, toSlot } from '@tidegate/core/base';

/** Age in blocks after which a blockhash expires. */
export const MAX_BLOCKHASH_AGE = 150n;

/** Slots without a block. Not 0, so that confusing slot and block height is noticed. */
const SKIPPED_SLOTS = 21_000_000n;

export const blockHeightOf = (slot: Slot): bigint =>
  slot > SKIPPED_SLOTS ? slot - SKIPPED_SLOTS : slot;

/** Derived from seed and slot, so hashes are not stored. */
export const blockhashOf = (seed: string, slot: Slot): string =>
  hashOf(`blockhash ${seed} ${slot}`);

export const genesisHashOf = (seed: string): string => hashOf(`genesis ${seed}`);

/** Whether the slot still accepts a transaction with this blockhash. */
export function isRecentBlockhash(seed: string, blockhash: string, slot: Slot): boolean {
  for (let age = 0n; age <= MAX_BLOCKHASH_AGE && age <= slot; age++) {
    if (blockhashOf(seed, toSlot(slot - age)) === blockhash) return true;
  }
  return false;
}

const hashOf = (text: string): string => encodeBase58(sha256(bytesFromText(text)));
