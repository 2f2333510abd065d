import type { BlockhashCache } from '../../chain/blockhash-cache.ts';
import type { ClusterSource } from '../../chain/cluster-source.ts';
import { EpochTimes } from '../../chain/epoch-times.ts';
import type { AccountsAtSlot, Cluster } from '../../clusters/served-clusters.ts';

/** What requests read from the endpoints of a cluster. */
export function requestsTo(
  source: ClusterSource,
  blockhashes: BlockhashCache,
): Pick<
  Cluster,
  'readAccounts' | 'findTransaction' | 'latestBlockhash' | 'simulateTransaction' | 'listEpochs'
> {
  const epochTimes = new EpochTimes({ ledger: source.ledger });
  const asUser = <Value>(send: () => Promise<Value>) => source.withPriority('user', send);
  return {
    readAccounts: (...request) => asUser(() => readAccounts(source, ...request)),
    findTransaction: (signature) =>
      asUser(async () => (await source.ledger.getTransactions([signature]))[0]),
    latestBlockhash: () => asUser(() => blockhashes.latest()),
    simulateTransaction: (...request) => asUser(() => source.simulate(...request)),
    // hundreds of calls, of which the request waits for few
    listEpochs: (slot) => source.withPriority('backfill', () => epochTimes.list(slot)),
  };
}

async function readAccounts(
  source: ClusterSource,
  ...request: Parameters<Cluster['readAccounts']>
): Promise<AccountsAtSlot> {
  const [addresses] = request;
  const { slot, accounts } = await source.getAccounts(...request);
  return { slot, accounts: new Map(addresses.map((address, i) => [address, accounts[i]])) };
}
