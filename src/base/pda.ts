import { sha256 } from '@noble/hashes/sha2.js';
import { type Address, addressFromBytes, addressToBytes } from './address.ts';
import { bytesEqual, bytesOfText, concatBytes } from './bytes.ts';
import { isOnCurve } from './curve25519.ts';
import { CodedError } from './errors.ts';
import { u64 } from './layout.ts';

export type ProgramAddress = { readonly address: Address; readonly bump: number };

const MARKER = bytesOfText('ProgramDerivedAddress');
const MAX_SEED_BYTES = 32;
/** One seed of the sixteen is the bump. */
const MAX_SEEDS = 15;

/** A power of two; some 300 KB. */
const PLACES = 1024;

type Derived = { readonly preimage: Uint8Array; readonly found: ProgramAddress };

/**
 * Addresses derived lately. One request derives the same few again and again, each of which costs as much as hundreds
 * of lookups here. Each preimage has one place, taken over by the next one that falls on it.
 */
const derived: (Derived | undefined)[] = new Array(PLACES).fill(undefined);

/** The address that a program signs for: the first off the curve, counting the bump down from 255. */
export function findProgramAddress(seeds: readonly Uint8Array[], program: Address): ProgramAddress {
  if (seeds.length > MAX_SEEDS) throw impossible(`more than ${MAX_SEEDS} seeds`);
  if (seeds.some((seed) => seed.length > MAX_SEED_BYTES)) {
    throw impossible(`a seed of more than ${MAX_SEED_BYTES} bytes`);
  }
  const preimage = concatBytes([...seeds, new Uint8Array(1), addressToBytes(program), MARKER]);
  const place = placeOf(preimage);
  const known = derived[place];
  if (known !== undefined && bytesEqual(known.preimage, preimage)) return known.found;
  const found = search(preimage.slice());
  derived[place] = { preimage, found };
  return found;
}

function placeOf(preimage: Uint8Array): number {
  let sum = 0;
  for (const byte of preimage) sum = (Math.imul(sum, 31) + byte) | 0;
  return sum & (PLACES - 1);
}

/** `preimage` has a zero where the bump goes. */
function search(preimage: Uint8Array): ProgramAddress {
  const bumpAt = preimage.length - MARKER.length - 32 - 1;
  for (let bump = 255; bump >= 0; bump--) {
    preimage[bumpAt] = bump;
    const hash = sha256(preimage);
    if (!isOnCurve(hash)) return { address: addressFromBytes(hash), bump };
  }
  throw impossible('every bump gives a point of the curve');
}

/** The most usual form of seeds: a word, then addresses. */
export function wordAddress(
  word: string,
  addresses: readonly Address[],
  program: Address,
): Address {
  const seeds = [bytesOfText(word), ...addresses.map(addressToBytes)];
  return findProgramAddress(seeds, program).address;
}

/** A seed that is an integer of eight bytes, low byte first. */
export function u64Seed(value: bigint): Uint8Array {
  const seed = new Uint8Array(8);
  u64.encode(new DataView(seed.buffer), 0, value);
  return seed;
}

function impossible(reason: string): CodedError {
  return new CodedError('NO_PROGRAM_ADDRESS', { reason });
}
