import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressToBytes, concatBytes } from '@tidegate/core/base';
import { deriveSecretKey } from '../genesis/seed/seeded-keys.ts';
import { WALLET_COUNT } from '../genesis/wallets.ts';
import { createSigner } from '../runtime/signer.ts';

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

/** Whether all key files exist. */
export const hasWalletKeyFiles = (folder: string): boolean =>
  existsSync(keyFile(folder, WALLET_COUNT - 1));

const keyFile = (folder: string, wallet: number): string => join(folder, `wallet-${wallet}.json`);
