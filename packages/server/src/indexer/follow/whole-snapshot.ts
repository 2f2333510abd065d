import type { Address, KeyedAccount, Slot } from '@tidegate/core/base';
import type { ChainSource, ProgramScan } from '../../chain/source/chain-source.ts';
import { matchesScan } from '../../chain/source/matches-scan.ts';
import { hasCode } from '../../errors.ts';
import type { AccountSnapshot } from './account-snapshot.ts';

/** Listings until one agrees with the accounts. */
const MAX_LISTINGS = 5;

export type WholeSnapshot = AccountSnapshot & {
  /** No account was read at a later slot. */
  readonly newestSlot: Slot;
};

/**
 * Lists the addresses of a first snapshot again, because nothing else shows that it left some out, and adds those. A
 * listing that leaves some out too is repeated.
 */
export async function completeSnapshot(
  source: ChainSource,
  scan: ProgramScan | undefined,
  snapshot: AccountSnapshot,
): Promise<WholeSnapshot> {
  const { slot } = snapshot;
  const accounts = new Map(snapshot.accounts.map((each) => [each.address, each]));
  let newestSlot = slot;
  for (let listing = 0; scan !== undefined && listing < MAX_LISTINGS; listing++) {
    const listed = await listAddresses(source, scan, slot);
    if (listed === undefined) break;
    const leftOut = [...listed].filter((address) => !accounts.has(address));
    const isWhole = [...accounts.keys()].every((address) => listed.has(address));
    if (leftOut.length === 0 && isWhole) break;
    if (leftOut.length === 0) continue;
    const read = await source.getAccounts(leftOut, slot);
    if (read.slot > newestSlot) newestSlot = read.slot;
    for (const each of existing(leftOut, read.accounts)) {
      if (matchesScan(scan, each.account)) accounts.set(each.address, each);
    }
  }
  return { slot, accounts: [...accounts.values()], newestSlot };
}

const existing = (
  addresses: readonly Address[],
  accounts: readonly (KeyedAccount['account'] | undefined)[],
): KeyedAccount[] =>
  addresses.flatMap((address, i) => {
    const account = accounts[i];
    return account === undefined ? [] : [{ address, account }];
  });

/** Undefined if the source has no listings. */
async function listAddresses(
  source: ChainSource,
  scan: ProgramScan,
  minSlot: Slot,
): Promise<ReadonlySet<Address> | undefined> {
  const listed = new Set<Address>();
  try {
    await source.streamProgram(
      { scan, content: 'addresses', minSlot },
      { onStart: () => listed.clear(), onAccount: ({ address }) => listed.add(address) },
    );
    return listed;
  } catch (error) {
    if (hasCode(error, 'SOURCE_REFUSES')) return undefined;
    throw error;
  }
}
