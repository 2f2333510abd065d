import type { Address } from '#core/base/encoding/address.ts';
import type { RawAccount } from '#core/base/solana/account.ts';
import type { ChainTime } from '#core/base/time.ts';
import { goldenCluster, goldenFlow } from './golden.ts';

export type GoldenVariant = {
  readonly at: ChainTime;
  readonly accounts: ReadonlyMap<Address, RawAccount>;
};

/** The golden cluster with changed accounts. */
export function goldenWithAccounts(
  changes: Iterable<readonly [Address, RawAccount | undefined]>,
): GoldenVariant {
  const { at, accounts } = goldenCluster();
  return { at, accounts: changed(accounts, changes) };
}

/** The golden cluster with the accounts before or after a flow, at its time. */
export function goldenAtFlow(fileName: string, when: 'before' | 'after'): GoldenVariant {
  const flow = goldenFlow(fileName);
  return { at: flow.at, accounts: changed(goldenCluster().accounts, flow[when]) };
}

function changed(
  accounts: ReadonlyMap<Address, RawAccount>,
  changes: Iterable<readonly [Address, RawAccount | undefined]>,
): Map<Address, RawAccount> {
  const all = new Map(accounts);
  for (const [address, account] of changes) {
    if (account === undefined) all.delete(address);
    else all.set(address, account);
  }
  return all;
}
