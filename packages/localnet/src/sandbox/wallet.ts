import { type Address, addressToBytes, concatBytes } from '@tidegate/core/base';
import { CodedError } from '../errors/index.ts';
import { deriveSecretKey } from '../genesis/seed/seeded-keys.ts';
import { WALLET_COUNT } from '../genesis/wallets.ts';
import { createSigner } from '../runtime/signer.ts';

/** A wallet of the generated cluster. Anyone who knows the seed knows its key. */
export type SandboxWallet = {
  readonly address: Address;
  /** 64 bytes, the secret key and the address, as wallets import it. */
  readonly secretKey: Uint8Array;
};

export function createWallet(seed: string, index: number): SandboxWallet {
  if (!Number.isInteger(index) || index < 0 || index >= WALLET_COUNT) {
    const reason = `Wallet ${index} does not exist: there are wallets 0 to ${WALLET_COUNT - 1}.`;
    throw new CodedError('INVALID_USAGE', { reason });
  }
  const secret = deriveSecretKey(seed, `wallet/${index}`);
  const { address } = createSigner(secret);
  return { address, secretKey: concatBytes([secret, addressToBytes(address)]) };
}
