import type { KeyedAccount, Slot } from '@tidegate/core/base';
import type { ChainSource } from '../../chain/source/chain-source.ts';
import type { AccountsTarget } from '../../chain/source/stream.ts';
import type { AccountSet } from './account-sets.ts';

/** All accounts of a set, as of a slot. */
export type AccountSnapshot = { readonly slot: Slot; readonly accounts: readonly KeyedAccount[] };

/** What to subscribe to, or to read, for a set of accounts. */
export function targetOf({ kind, scan, selection, isLarge = false }: AccountSet): AccountsTarget {
  // without it, shares are read by wallet
  const isOptional = kind === 'shares';
  if (scan !== undefined) return { kind: 'program', scan, isOptional, isLarge };
  return { kind: 'accounts', addresses: [...(selection.addresses ?? [])] };
}

/** Reads the accounts that exist, at a slot that is not before `minSlot`. */
export async function readSnapshot(
  source: ChainSource,
  accountSet: AccountSet,
  minSlot: Slot,
): Promise<AccountSnapshot> {
  const target = targetOf(accountSet);
  if (target.kind === 'program') return source.scanProgram(target.scan, minSlot);
  const { addresses } = target;
  const { slot, accounts } = await source.getAccounts(addresses, minSlot);
  const existing = addresses.flatMap((address, i) => {
    const account = accounts[i];
    return account === undefined ? [] : [{ address, account }];
  });
  return { slot, accounts: existing };
}
