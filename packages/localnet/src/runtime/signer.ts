import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { type Address, addressFromBytes, bytesFromHex, concatBytes } from '@tidegate/core/base';
import { decodeWireTransaction, SIGNATURE_BYTES } from '@tidegate/core/protocol/spl/transaction';

/** Somebody who has a key. */
export type Signer = {
  readonly address: Address;
  sign(bytes: Uint8Array): Uint8Array;
};

/** An ed25519 private key in PKCS 8, up to its 32 secret bytes. */
const PKCS8_HEAD = bytesFromHex('302e020100300506032b657004220420');

/** `secret`: 32 bytes. The same signature each time for the same bytes. */
export function createSigner(secret: Uint8Array): Signer {
  const der = Buffer.from(concatBytes([PKCS8_HEAD, secret]));
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return {
    address: addressFromBytes(Uint8Array.from(spki.subarray(-32))),
    sign: (bytes) => Uint8Array.from(sign(null, bytes, key)),
  };
}

/** Puts their signatures where the message has room for them; those of others stay as they are. */
export function signTransaction(wire: Uint8Array, signers: readonly Signer[]): Uint8Array {
  const { message, signatures } = decodeWireTransaction(wire);
  const signed = wire.slice();
  const bytes = wire.subarray(1 + signatures.length * SIGNATURE_BYTES);
  for (const { address, sign: signBytes } of signers) {
    const place = message.staticKeys.indexOf(address);
    if (place === -1 || place >= signatures.length)
      throw new RangeError(`${address} does not sign`);
    signed.set(signBytes(bytes), 1 + place * SIGNATURE_BYTES);
  }
  return signed;
}
