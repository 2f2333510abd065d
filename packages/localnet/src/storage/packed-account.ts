import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Address, ClusterAccount } from '@tidegate/core/base';

/** An account whose data is deflated: of most accounts few bytes are not zero. */
export type PackedAccount = Omit<ClusterAccount, 'data'> & { readonly packed: Uint8Array };

/** What zlib returns holds on to its whole buffer, so both ways it is copied. */
export function packAccount({ data, ...facts }: ClusterAccount): PackedAccount {
  return { ...facts, packed: new Uint8Array(deflateRawSync(data, { level: 1 })) };
}

export function unpackAccount({ packed, ...facts }: PackedAccount): ClusterAccount {
  return { ...facts, data: new Uint8Array(inflateRawSync(packed)) };
}

/** What a bank starts with. */
export const unpackAccounts = (
  accounts: ReadonlyMap<Address, PackedAccount>,
): Map<Address, ClusterAccount> =>
  new Map(Array.from(accounts, ([address, account]) => [address, unpackAccount(account)]));
