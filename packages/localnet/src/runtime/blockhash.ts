import { sha256 } from '@noble/hashes/sha2.js';
import { bytesFromText, encodeBase58, type Slot, toSlot } from '@tidegate/core/base';

/** Blocks after which a blockhash is not accepted any more. */
export const MAX_BLOCKHASH_AGE = 150n;

/** Slots without a block so far. Not 0, so that whoever mixes up slot and height is found out. */
const SKIPPED_SLOTS = 21_000_000n;

export const blockHeightOf = (slot: Slot): bigint =>
  slot > SKIPPED_SLOTS ? slot - SKIPPED_SLOTS : slot;

/** A hash is a function of seed and slot, so none has to be kept. */
export const blockhashOf = (seed: string, slot: Slot): string =>
  hashOf(`blockhash ${seed} ${slot}`);

export const genesisHashOf = (seed: string): string => hashOf(`genesis ${seed}`);

/** Whether a transaction with this blockhash would still be accepted in the slot. */
export function isRecentBlockhash(seed: string, blockhash: string, slot: Slot): boolean {
  for (let age = 0n; age <= MAX_BLOCKHASH_AGE && age <= slot; age++) {
    if (blockhashOf(seed, toSlot(slot - age)) === blockhash) return true;
  }
  return false;
}

const hashOf = (text: string): string => encodeBase58(sha256(bytesFromText(text)));
