import type { Address } from '#core/base/encoding/address.ts';
import type { ChainTime } from '#core/base/time.ts';
import {
  type GoldenAccount,
  type GoldenFlow,
  goldenCluster,
  goldenFlows,
} from '../golden/golden.ts';

/** A golden flow and the state of the cluster before it. */
export type FlowSnapshot = {
  readonly flow: GoldenFlow;
  readonly at: ChainTime;
  readonly accounts: ReadonlyMap<Address, GoldenAccount>;
};

/** All flows in order, each with the state left by the previous ones. */
export function flowSnapshots(): FlowSnapshot[] {
  const { accounts } = goldenCluster();
  return goldenFlows().map((flow) => {
    for (const [address, account] of flow.before) put(accounts, address, account);
    const before = new Map(accounts);
    for (const [address, account] of flow.after) put(accounts, address, account);
    return { flow, at: flow.at, accounts: before };
  });
}

function put(
  accounts: Map<Address, GoldenAccount>,
  address: Address,
  account: GoldenAccount | undefined,
): void {
  if (account === undefined) accounts.delete(address);
  else accounts.set(address, account);
}
