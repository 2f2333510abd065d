import { sha256 } from '@noble/hashes/sha2.js';
import { type Address, bytesFromText } from '@tidegate/core/base';
import { createSigner } from '../../runtime/signer.ts';

/** Addresses with derivable secret keys, by name. */
export type SeededKeys = (name: string) => Address;

export function createSeededKeys(seed: string): SeededKeys {
  const addresses = new Map<string, Address>();
  return (name) => {
    const address = addresses.get(name) ?? createSigner(deriveSecretKey(seed, name)).address;
    addresses.set(name, address);
    return address;
  };
}

/**
 * The 32-byte secret key of a seeded address. Anyone who knows the seed can derive it, so it is for
 * test funds only.
 */
export const deriveSecretKey = (seed: string, name: string): Uint8Array =>
  sha256(bytesFromText(`tidegate localnet/${seed}/${name}`));
