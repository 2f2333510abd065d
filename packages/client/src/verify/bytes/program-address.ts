import { sha256 } from '@noble/hashes/sha2.js';
import { addressAt, addressBytes } from './base58.ts';

const P = (1n << 255n) - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;
const MARKER = new TextEncoder().encode('ProgramDerivedAddress');

/** Entries per generation. Two generations take about 2 MB. */
const MAX_ENTRIES = 4096;

/** Derived addresses by seeds, in two generations. A derivation takes as long as checking a whole transaction. */
let recent = new Map<string, string>();
let older = new Map<string, string>();

/** A text, one byte, or an address. */
export type Seed = { readonly text: string } | { readonly byte: number } | string;

/** The first hash off the curve, with bumps from 255 down, as every program derives its addresses. */
export function deriveProgramAddress(program: string, seeds: readonly Seed[]): string {
  const key = `${program} ${seeds.map(seedKey).join(' ')}`;
  const cached = recent.get(key);
  if (cached !== undefined) return cached;
  const address = older.get(key) ?? findAddress(program, seeds.map(seedBytes));
  if (recent.size === MAX_ENTRIES) [older, recent] = [recent, new Map()];
  recent.set(key, address);
  return address;
}

const seedKey = (seed: Seed): string => (typeof seed === 'string' ? seed : JSON.stringify(seed));

function seedBytes(seed: Seed): Uint8Array {
  if (typeof seed === 'string') return addressBytes(seed) ?? new Uint8Array(32);
  return 'text' in seed ? new TextEncoder().encode(seed.text) : Uint8Array.of(seed.byte);
}

function findAddress(program: string, seeds: readonly Uint8Array[]): string {
  for (let bump = 255; bump >= 0; bump--) {
    const hash = sha256(
      concat([...seeds, Uint8Array.of(bump), addressBytes(program) ?? new Uint8Array(32), MARKER]),
    );
    if (!isOnCurve(hash)) return addressAt(hash);
  }
  // impossible in practice: all 256 hashes would have to be points
  return '';
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Whether x² = (y² - 1) / (d y² + 1) has a solution modulo the prime of the curve. */
export function isOnCurve(bytes: Uint8Array): boolean {
  let y = 0n;
  for (let i = 31; i >= 0; i--) y = (y << 8n) | BigInt(bytes[i] ?? 0);
  y = (y & ((1n << 255n) - 1n)) % P;
  const squared = (y * y) % P;
  const product = ((squared + P - 1n) * (D * squared + 1n)) % P;
  return product === 0n || power(product, (P - 1n) / 2n) === 1n;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let factor = base;
  for (let left = exponent; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = (result * factor) % P;
    factor = (factor * factor) % P;
  }
  return result;
}
