import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Address, addressToBytes, concatBytes } from '@tidegate/core/base';
import { deriveSecretKey } from '../genesis/seed/seeded-keys.ts';
import { WALLET_COUNT } from '../genesis/wallets.ts';
import { createSigner, signTransaction } from '../runtime/signer.ts';

const SECRET_BYTES = 32;

/**
 * Writes the wallet keys as `wallet-0.json` and so on, in the format that wallets import: 64
 * numbers, the secret key and the address. Anyone who knows the seed can derive them, so they are
 * for test funds only.
 */
export function writeWalletKeyFiles(folder: string, seed: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (let wallet = 0; wallet < WALLET_COUNT; wallet++) {
    const secret = deriveSecretKey(seed, `wallet/${wallet}`);
    const bytes = concatBytes([secret, addressToBytes(createSigner(secret).address)]);
    writeFileSync(keyFile(folder, wallet), `[${bytes.join(',')}]\n`, { mode: 0o600 });
  }
}

/**
 * Signs a transaction with the key of one of the cluster's wallets; undefined if the folder has no key of it. Throws a
 * RangeError if the wallet is not a signer of the transaction.
 */
export function signWithWalletKey(
  wire: Uint8Array,
  { folder, wallet }: { readonly folder: string; readonly wallet: Address },
): Uint8Array | undefined {
  const address = addressToBytes(wallet);
  for (let index = 0; index < WALLET_COUNT; index++) {
    const file = keyFile(folder, index);
    if (!existsSync(file)) return undefined;
    const key = Buffer.from(JSON.parse(readFileSync(file, 'utf8')) as number[]);
    if (!key.subarray(SECRET_BYTES).equals(address)) continue;
    return signTransaction(wire, [createSigner(key.subarray(0, SECRET_BYTES))]);
  }
  return undefined;
}

/** Whether all key files exist. */
export const hasWalletKeyFiles = (folder: string): boolean =>
  existsSync(keyFile(folder, WALLET_COUNT - 1));

const keyFile = (folder: string, wallet: number): string => join(folder, `wallet-${wallet}.json`);
