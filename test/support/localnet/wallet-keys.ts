import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeBase58 } from '#core/base/encoding/base58.ts';

/** The key of a demo wallet in a data folder: 32 bytes of seed, then 32 of its address. */
export function readWalletKey(dataDir: string, index: number): Uint8Array {
  const file = join(dataDir, 'localnet', 'keys', `wallet-${index}.json`);
  return Uint8Array.from(JSON.parse(readFileSync(file, 'utf8')) as number[]);
}

export const readWalletAddress = (dataDir: string, index: number): string =>
  encodeBase58(readWalletKey(dataDir, index).slice(32));
