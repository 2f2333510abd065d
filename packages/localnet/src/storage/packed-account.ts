import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Address, ClusterAccount } from '@tidegate/core/base';

/** An account with deflated data: most account data is zeros. */
export type PackedAccount = Omit<ClusterAccount, 'data'> & { readonly packed: Uint8Array };

/** Both directions copy, because the result of zlib retains its whole buffer. */
export function packAccount({ data, ...fields }: ClusterAccount): PackedAccount {
  return { ...fields, packed: new Uint8Array(deflateRawSync(data, { level: 1 })) };
}

export function unpackAccount({ packed, ...fields }: PackedAccount): ClusterAccount {
  return { ...fields, data: new Uint8Array(inflateRawSync(packed)) };
}

export const unpackAccounts = (
  accounts: ReadonlyMap<Address, PackedAccount>,
): Map<Address, ClusterAccount> =>
  new Map(Array.from(accounts, ([address, account]) => [address, unpackAccount(account)]));
