import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { type Address, addressFromBytes, bytesFromHex, concatBytes } from '@tidegate/core/base';
import { decodeWireTransaction, SIGNATURE_BYTES } from '@tidegate/core/protocol/spl/transaction';

/** A key pair that can sign. */
export type Signer = {
  readonly address: Address;
  sign(bytes: Uint8Array): Uint8Array;
};

/** PKCS #8 prefix of an ed25519 private key; the 32 secret bytes follow. */
const PKCS8_PREFIX = bytesFromHex('302e020100300506032b657004220420');

/** `secret` has 32 bytes. Signatures are deterministic. */
export function createSigner(secret: Uint8Array): Signer {
  const der = Buffer.from(concatBytes([PKCS8_PREFIX, secret]));
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return {
    address: addressFromBytes(Uint8Array.from(spki.subarray(-32))),
    sign: (bytes) => Uint8Array.from(sign(null, bytes, key)),
  };
}

/** Writes the signatures into the transaction; other signatures stay. */
export function signTransaction(wire: Uint8Array, signers: readonly Signer[]): Uint8Array {
  const { message, signatures } = decodeWireTransaction(wire);
  const signed = wire.slice();
  const bytes = wire.subarray(1 + signatures.length * SIGNATURE_BYTES);
  for (const { address, sign: signBytes } of signers) {
    const index = message.staticKeys.indexOf(address);
    if (index === -1 || index >= signatures.length)
      throw new RangeError(`${address} is not a signer`);
    signed.set(signBytes(bytes), 1 + index * SIGNATURE_BYTES);
  }
  return signed;
}
