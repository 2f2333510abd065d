import type { Address } from '#core/base/encoding/address.ts';
import type { Cluster } from '#server/clusters/served-clusters.ts';
import type { GoldenAccount } from '../golden/golden.ts';
import { goldenClusters, staticCluster } from '../golden/golden-clusters.ts';
import { goldenReader } from '../golden/golden-reader.ts';
import { jsonPoster } from '../http/post-json.ts';
import { startApi } from '../http/test-api.ts';
import type { FlowSnapshot } from './flow-snapshots.ts';

type InitialState = Pick<FlowSnapshot, 'at' | 'accounts'>;

/** Starts a server of the golden cluster in the state before a flow. */
export async function startFlowApi({ at, accounts }: InitialState, changes: Partial<Cluster> = {}) {
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

/** Looks up accounts by address; a missing account is undefined. */
const accountsOf =
  (accounts: ReadonlyMap<Address, GoldenAccount | undefined>) =>
  (addresses: readonly Address[]): Map<Address, GoldenAccount | undefined> =>
    new Map(addresses.map((address) => [address, accounts.get(address)]));

/** The blockhash that every transaction of such a server uses. */
export const staticBlockhash = () => staticCluster().latestBlockhash();

/** A node whose simulation returns the recorded outcome of a flow: its accounts and its logs. */
export const recordedSimulation =
  ({ flow, accounts, at }: FlowSnapshot): Cluster['simulateTransaction'] =>
  async (_wire, addresses) => {
    const isRejected = flow.err !== null;
    const after = new Map([...accounts, ...flow.after]);
    return {
      slot: at.slot,
      error: flow.err ?? undefined,
      logs: flow.transactions.at(-1)?.logs ?? [],
      unitsConsumed: 123_456n,
      innerInstructions: undefined,
      accounts: isRejected ? new Map() : accountsOf(after)(addresses),
    };
  };
