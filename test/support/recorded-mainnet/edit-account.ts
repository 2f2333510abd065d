import { type Address, addressFromBytes } from '#core/base/encoding/address.ts';
import type { Decoded, Shape, Struct } from '#core/base/encoding/layout.ts';
import type { AccountCodec } from '#core/base/solana/account.ts';
import type { ClusterAccount, KeyedAccount } from '#core/base/solana/cluster-account.ts';
import { rentExemptLamports } from './recorded-set.ts';

/** The account with changed fields. All other bytes stay as recorded. */
export function editAccount<S extends Shape>(
  codec: AccountCodec<S>,
  account: ClusterAccount,
  change: (value: Decoded<Struct<S>>) => Decoded<Struct<S>>,
): ClusterAccount {
  const before = codec.decode(account);
  return { ...account, data: codec.encodeChange(account.data, { before, after: change(before) }) };
}

/** A program upgrade adds fields at the end. */
export function enlargeAccount(account: ClusterAccount, bytes: number): ClusterAccount {
  const data = new Uint8Array(account.data.length + bytes);
  data.set(account.data);
  return { ...account, lamports: rentExemptLamports(data.length), data };
}

/** `changes` replace accounts with the same address; the rest is added. */
export function withAccounts(
  accounts: readonly KeyedAccount[],
  ...changes: readonly KeyedAccount[]
): KeyedAccount[] {
  const byAddress = new Map([...accounts, ...changes].map((each) => [each.address, each]));
  return [...byAddress.values()];
}

export const withoutAccounts = (
  accounts: readonly KeyedAccount[],
  ...addresses: readonly Address[]
): KeyedAccount[] => accounts.filter(({ address }) => !addresses.includes(address));

export function findAccount(accounts: readonly KeyedAccount[], address: Address): ClusterAccount {
  const found = accounts.find((each) => each.address === address);
  if (found === undefined) throw new Error(`no account ${address} in the recorded set`);
  return found.account;
}

/** An address that sorts before all recorded ones, by bytes and as text. */
export const lowAddress = (last: number): Address =>
  addressFromBytes(Uint8Array.of(...new Uint8Array(31), last));
