import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeBase58 } from '#core/base/encoding/base58.ts';

/** The address of a demo wallet, from its key file: the second half of a key is the address. */
export function readWalletAddress(keysFolder: string, index: number): string {
  const file = join(keysFolder, `wallet-${index}.json`);
  const bytes = JSON.parse(readFileSync(file, 'utf8')) as number[];
  return encodeBase58(Uint8Array.from(bytes).slice(32));
}
