import { createPrivateKey, sign } from 'node:crypto';
import { type Address, addressFromBytes } from '@tidegate/core/base';
import { decodeWireTransaction, SIGNATURE_BYTES } from '@tidegate/core/protocol/spl/transaction';

/** A key pair that can sign. */
export type Signer = {
  readonly address: Address;
  sign(bytes: Uint8Array): Uint8Array;
};

/**
 * `secret` has 32 bytes. Signatures are deterministic. Imported as a JWK, which takes a tenth of the time of PKCS #8:
 * `x`, the public key, must be present, but is derived from `d`.
 */
export function createSigner(secret: Uint8Array): Signer {
  const d = Buffer.from(secret).toString('base64url');
  const jwk = { kty: 'OKP', crv: 'Ed25519', d, x: '' };
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  const { x = '' } = key.export({ format: 'jwk' });
  return {
    address: addressFromBytes(Uint8Array.from(Buffer.from(x, 'base64url'))),
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
