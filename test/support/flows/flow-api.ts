import type { Address } from '#core/base/encoding/address.ts';
import type { Cluster } from '#server/clusters/served-clusters.ts';
import type { GoldenAccount } from '../golden/golden.ts';
import { goldenClusters, staticCluster } from '../golden/golden-clusters.ts';
import { goldenReader } from '../golden/golden-reader.ts';
import { jsonPoster } from '../http/post-json.ts';
import { startApi } from '../http/test-api.ts';
import type { FlowSnapshot } from './flow-snapshots.ts';

type Placed = Pick<FlowSnapshot, 'at' | 'accounts'>;

/** A server of the golden cluster as it was before a flow. */
export async function startFlowApi({ at, accounts }: Placed, changes: Partial<Cluster> = {}) {
  const reader = goldenReader({ at, accounts });
  const read = accountsOf(accounts);
  const cluster = {
    reader,
    readAccounts: async (addresses: readonly Address[]) => ({
      slot: at.slot,
      accounts: read(addresses),
    }),
    ...changes,
  };
  const api = await startApi({ clusters: goldenClusters(cluster) });
  return { ...api, post: jsonPoster(api) };
}

/** By address, those that are not there included. */
const accountsOf =
  (accounts: ReadonlyMap<Address, GoldenAccount | undefined>) =>
  (addresses: readonly Address[]): Map<Address, GoldenAccount | undefined> =>
    new Map(addresses.map((address) => [address, accounts.get(address)]));

/** What transactions of such a server name. */
export const staticBlockhash = () => staticCluster().latestBlockhash();

/** A node that runs a flow's transaction as it was run: what it left, and what it said. */
export const recordedSimulation =
  ({ flow, accounts, at }: FlowSnapshot): Cluster['simulate'] =>
  async (_wire, addresses) => {
    const isRefused = flow.err !== null;
    const after = new Map([...accounts, ...flow.after]);
    return {
      slot: at.slot,
      error: flow.err ?? undefined,
      logs: flow.transactions.at(-1)?.logs ?? [],
      unitsConsumed: 123_456n,
      innerInstructions: undefined,
      accounts: isRefused ? new Map() : accountsOf(after)(addresses),
    };
  };
