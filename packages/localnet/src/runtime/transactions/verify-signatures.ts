import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { type Address, addressToBytes } from '@tidegate/core/base';
import { SIGNATURE_BYTES } from '@tidegate/core/protocol/spl/transaction';
import type { ReceivedTransaction } from './received-transaction.ts';

/** Making one takes as long as using it, and the same wallets sign again and again. */
const MOST_KEYS = 1_000;
const keys = new Map<Address, KeyObject>();

/** Whether every signer that the message names has signed it. */
export function verifySignatures({ message, wire, signed }: ReceivedTransaction): boolean {
  const signers = message.staticKeys.slice(0, message.header.numRequiredSignatures);
  return signers.every((signer, i) => {
    const start = 1 + i * SIGNATURE_BYTES;
    return verify(null, signed, keyOf(signer), wire.subarray(start, start + SIGNATURE_BYTES));
  });
}

function keyOf(address: Address): KeyObject {
  const known = keys.get(address);
  if (known !== undefined) return known;
  const x = Buffer.from(addressToBytes(address)).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  if (keys.size === MOST_KEYS) keys.clear();
  keys.set(address, key);
  return key;
}
