import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import type { RawAccount } from '#core/base/solana/account.ts';

/** A recorded mainnet account. An example of `kind` is `klend-Reserve`. */
export type MainnetAccount = RawAccount & {
  readonly kind: string;
  readonly address: Address;
  /** The latest slot known for this state. */
  readonly slot: number | null;
  /** The day on which the bytes were published, `YYYY-MM-DD`; null if unknown. */
  readonly date: string | null;
};

type StoredAccount = {
  readonly kind: string;
  readonly address: string;
  readonly owner: string;
  readonly slot: number | null;
  readonly date: string | null;
  readonly dataGz: string;
};

const folder = new URL('../../fixtures/mainnet/', import.meta.url);

export function mainnetAccounts(): MainnetAccount[] {
  const stored = readJson('accounts.json') as readonly StoredAccount[];
  return stored.map(({ kind, address, owner, slot, date, dataGz }) => ({
    kind,
    address: toAddress(address),
    owner: toAddress(owner),
    slot,
    date,
    data: Uint8Array.from(gunzipSync(Buffer.from(dataGz, 'base64'))),
  }));
}

/** `repay` has the format of `getTransaction`, `flash-loan` that of a gRPC stream. */
export function mainnetTransaction(name: 'repay' | 'flash-loan'): unknown {
  return readJson(`transactions/${name}.json`);
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, folder), 'utf8'));
}
