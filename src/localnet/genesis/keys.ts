import { createPrivateKey, createPublicKey } from 'node:crypto';
import { sha256 } from '@noble/hashes/sha2.js';
import { type Address, addressFromBytes } from '../../base/address.ts';
import { bytesFromHex, bytesOfText, concatBytes } from '../../base/bytes.ts';

/** Addresses that somebody could sign for, each by its name. */
export type Keys = (name: string) => Address;

/** An ed25519 private key in PKCS 8, up to its 32 secret bytes. */
const PKCS8_HEAD = bytesFromHex('302e020100300506032b657004220420');

export function createKeys(seed: string): Keys {
  const known = new Map<string, Address>();
  return (name) => {
    const address = known.get(name) ?? publicKeyOf(secretKey(seed, name));
    known.set(name, address);
    return address;
  };
}

/** The 32 secret bytes behind an address of `createKeys`. Anyone who knows the seed has them: play money only. */
export const secretKey = (seed: string, name: string): Uint8Array =>
  sha256(bytesOfText(`tidegate localnet/${seed}/${name}`));

function publicKeyOf(secret: Uint8Array): Address {
  const der = concatBytes([PKCS8_HEAD, secret]);
  const key = createPrivateKey({ key: Buffer.from(der), format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return addressFromBytes(Uint8Array.from(spki.subarray(-32)));
}
