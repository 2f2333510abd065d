import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Address, addressToBytes, concatBytes, type Logger } from '@tidegate/core/base';
import { deriveSecretKey } from '../genesis/seed/seeded-keys.ts';
import { WALLET_COUNT } from '../genesis/wallets.ts';
import { createSigner, signTransaction } from '../runtime/signer.ts';
import { isErrno } from './errno.ts';

const SECRET_BYTES = 32;
const KEY_BYTES = 64;

/**
 * Writes the wallet keys as `wallet-0.json` and so on, in the format that wallets import: 64
 * numbers, the secret key and the address. Anyone who knows the seed can derive them, so they are
 * for test funds only.
 */
export function writeWalletKeyFiles(folder: string, seed: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (let wallet = 0; wallet < WALLET_COUNT; wallet++) {
    writeFileSync(keyFile(folder, wallet), keyText(seed, wallet), { mode: 0o600 });
  }
}

/** Writes missing and damaged files again. A damaged one is renamed: it may be the key of somebody. */
export function repairWalletKeyFiles(folder: string, seed: string, log: Logger): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (let wallet = 0; wallet < WALLET_COUNT; wallet++) {
    const file = keyFile(folder, wallet);
    const expected = keyText(seed, wallet);
    const found = readIfPresent(file);
    if (found === expected) continue;
    const renamed = `${file}.damaged`;
    if (found !== undefined) {
      renameSync(file, renamed);
      log.warn({ file, renamed }, 'a wallet key file was damaged and is written again:');
    }
    writeFileSync(file, expected, { mode: 0o600 });
  }
}

function keyText(seed: string, wallet: number): string {
  const secret = deriveSecretKey(seed, `wallet/${wallet}`);
  const bytes = concatBytes([secret, addressToBytes(createSigner(secret).address)]);
  return `[${bytes.join(',')}]\n`;
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
    const key = readKey(keyFile(folder, index));
    if (!key?.subarray(SECRET_BYTES).equals(address)) continue;
    return signTransaction(wire, [createSigner(key.subarray(0, SECRET_BYTES))]);
  }
  return undefined;
}

/** Undefined if there is none, or it is damaged. */
function readKey(file: string): Buffer | undefined {
  try {
    const key = Buffer.from(JSON.parse(readIfPresent(file) ?? ''));
    return key.length === KEY_BYTES ? key : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}

const keyFile = (folder: string, wallet: number): string => join(folder, `wallet-${wallet}.json`);
