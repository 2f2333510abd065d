import { sha256 } from '@noble/hashes/sha2.js';
import { type Address, bytesFromText } from '@tidegate/core/base';
import { createSigner } from '../../runtime/signer.ts';

/** Addresses that somebody could sign for, each by its name. */
export type SeededKeys = (name: string) => Address;

export function createSeededKeys(seed: string): SeededKeys {
  const known = new Map<string, Address>();
  return (name) => {
    const address = known.get(name) ?? createSigner(deriveSecretKey(seed, name)).address;
    known.set(name, address);
    return address;
  };
}

/** The 32 secret bytes behind an address of `createKeys`. Anyone who knows the seed has them: play money only. */
export const deriveSecretKey = (seed: string, name: string): Uint8Array =>
  sha256(bytesFromText(`tidegate localnet/${seed}/${name}`));
