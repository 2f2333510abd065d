import { sha256 } from '@noble/hashes/sha2.js';
import { type Address, addressFromBytes, addressToBytes } from '../encoding/address.ts';
import { bytesFromText, concatBytes } from '../encoding/bytes.ts';
import { u64 } from '../encoding/layout.ts';
import { CodedError } from '../errors.ts';
import { isOnCurve } from './curve25519.ts';

export type ProgramAddress = { readonly address: Address; readonly bump: number };

const MARKER = bytesFromText('ProgramDerivedAddress');
const MAX_SEED_BYTES = 32;
/** One seed of the sixteen is the bump. */
const MAX_SEEDS = 15;

/** Twice as many are some 700 KB. */
const MOST_REMEMBERED = 1024;

/**
 * Addresses derived lately, by all that they follow from, and those before them. One request derives the same few
 * again and again, each of which costs as much as dozens of lookups here.
 */
let recent = new Map<string, Address>();
let older = new Map<string, Address>();

/** The address that a program signs for: the first off the curve, counting the bump down from 255. */
export function findProgramAddress(seeds: readonly Uint8Array[], program: Address): ProgramAddress {
  if (seeds.length > MAX_SEEDS) throw impossible(`more than ${MAX_SEEDS} seeds`);
  if (seeds.some((seed) => seed.length > MAX_SEED_BYTES)) {
    throw impossible(`a seed of more than ${MAX_SEED_BYTES} bytes`);
  }
  const preimage = concatBytes([...seeds, new Uint8Array(1), addressToBytes(program), MARKER]);
  const bumpAt = preimage.length - MARKER.length - 32 - 1;
  for (let bump = 255; bump >= 0; bump--) {
    preimage[bumpAt] = bump;
    const hash = sha256(preimage);
    if (!isOnCurve(hash)) return { address: addressFromBytes(hash), bump };
  }
  throw impossible('every bump gives a point of the curve');
}

/** The usual form of seeds: a word, which may be empty or any bytes, then addresses. */
export function deriveAddress(
  word: string | Uint8Array,
  addresses: readonly Address[],
  program: Address,
): Address {
  const name = `${nameOf(word)} ${addresses.join(' ')} ${program}`;
  const known = recent.get(name);
  if (known !== undefined) return known;
  const address = older.get(name) ?? derive(word, addresses, program);
  remember(name, address);
  return address;
}

function derive(
  word: string | Uint8Array,
  addresses: readonly Address[],
  program: Address,
): Address {
  const first = typeof word === 'string' ? bytesFromText(word) : word;
  return findProgramAddress([first, ...addresses.map(addressToBytes)], program).address;
}

/** Quoted, so that no word reads like bytes or an address. */
const nameOf = (word: string | Uint8Array): string =>
  typeof word === 'string' ? JSON.stringify(word) : word.join();

function remember(name: string, address: Address): void {
  if (recent.size === MOST_REMEMBERED) [older, recent] = [recent, new Map()];
  recent.set(name, address);
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
