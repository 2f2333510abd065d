import { sha256 } from '@noble/hashes/sha2.js';
import { type Address, addressFromBytes, addressToBytes } from '../encoding/address.ts';
import { bytesFromText, concatBytes } from '../encoding/bytes.ts';
import { u64 } from '../encoding/layout.ts';
import { CodedError } from '../errors.ts';
import { isOnCurve } from './curve25519.ts';

export type ProgramAddress = { readonly address: Address; readonly bump: number };

const MARKER = bytesFromText('ProgramDerivedAddress');
const MAX_SEED_BYTES = 32;
/** The runtime allows sixteen seeds, and one of them is the bump. */
const MAX_SEEDS = 15;

/** Entries per generation. Two generations take about 700 KB. */
const MAX_ENTRIES = 1024;

/**
 * A cache of derived addresses with two generations, by seeds and program. A request derives the same addresses
 * repeatedly, and a derivation costs as much as dozens of lookups.
 */
let recent = new Map<string, Address>();
let older = new Map<string, Address>();

/** The program derived address: the first hash that is not on the curve, with bumps from 255 down. */
export function findProgramAddress(seeds: readonly Uint8Array[], program: Address): ProgramAddress {
  if (seeds.length > MAX_SEEDS) throw noAddressError(`more than ${MAX_SEEDS} seeds`);
  if (seeds.some((seed) => seed.length > MAX_SEED_BYTES)) {
    throw noAddressError(`a seed of more than ${MAX_SEED_BYTES} bytes`);
  }
  const preimage = concatBytes([...seeds, new Uint8Array(1), addressToBytes(program), MARKER]);
  const bumpAt = preimage.length - MARKER.length - 32 - 1;
  for (let bump = 255; bump >= 0; bump--) {
    preimage[bumpAt] = bump;
    const hash = sha256(preimage);
    if (!isOnCurve(hash)) return { address: addressFromBytes(hash), bump };
  }
  throw noAddressError('every bump gives a point on the curve');
}

/** Derives an address from the usual seeds: a prefix (text or bytes, possibly empty), then addresses. */
export function deriveAddress(
  prefix: string | Uint8Array,
  addresses: readonly Address[],
  program: Address,
): Address {
  const key = `${prefixKey(prefix)} ${addresses.join(' ')} ${program}`;
  const cached = recent.get(key);
  if (cached !== undefined) return cached;
  const address = older.get(key) ?? derive(prefix, addresses, program);
  addToCache(key, address);
  return address;
}

function derive(
  prefix: string | Uint8Array,
  addresses: readonly Address[],
  program: Address,
): Address {
  const first = typeof prefix === 'string' ? bytesFromText(prefix) : prefix;
  return findProgramAddress([first, ...addresses.map(addressToBytes)], program).address;
}

/** Text is quoted so that it cannot equal the key of bytes or of an address. */
const prefixKey = (prefix: string | Uint8Array): string =>
  typeof prefix === 'string' ? JSON.stringify(prefix) : prefix.join();

function addToCache(key: string, address: Address): void {
  if (recent.size === MAX_ENTRIES) [older, recent] = [recent, new Map()];
  recent.set(key, address);
}

/** A u64 seed in little-endian order. */
export function u64Seed(value: bigint): Uint8Array {
  const seed = new Uint8Array(8);
  u64.encode(new DataView(seed.buffer), 0, value);
  return seed;
}

function noAddressError(reason: string): CodedError {
  return new CodedError('NO_PROGRAM_ADDRESS', { reason });
}
