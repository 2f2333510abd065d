import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { type Address, addressToBytes } from '@tidegate/core/base';
import { SIGNATURE_BYTES } from '@tidegate/core/protocol/spl/transaction';
import type { ReceivedTransaction } from './received-transaction.ts';

/** Importing a key takes as long as verifying, and wallets sign repeatedly. */
const MAX_KEYS = 1_000;
const keys = new Map<Address, KeyObject>();

const NOBODY: ReadonlySet<Address> = new Set();

/** Whether every signer of the message has signed it, except those that need not. */
export function verifySignatures(
  { message, wire, messageBytes }: ReceivedTransaction,
  exempt = NOBODY,
): boolean {
  const signers = message.staticKeys.slice(0, message.header.numRequiredSignatures);
  return signers.every((signer, i) => {
    if (exempt.has(signer)) return true;
    const start = 1 + i * SIGNATURE_BYTES;
    return verify(null, messageBytes, keyOf(signer), wire.subarray(start, start + SIGNATURE_BYTES));
  });
}

function keyOf(address: Address): KeyObject {
  const cached = keys.get(address);
  if (cached !== undefined) return cached;
  const x = Buffer.from(addressToBytes(address)).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  if (keys.size === MAX_KEYS) keys.clear();
  keys.set(address, key);
  return key;
}
