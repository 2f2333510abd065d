import type { Logger, Slot } from '@tidegate/core/base';
import { BlockhashCache } from '../../chain/blockhash-cache.ts';
import type { ClusterSource } from '../../chain/cluster-source.ts';
import { EpochTimes } from '../../chain/epoch-times.ts';
import { ConfigAccountCheck } from '../../clusters/config-account-check.ts';
import type { AccountsAtSlot, Cluster } from '../../clusters/served-clusters.ts';

/** What requests read from the endpoints of a cluster. */
export function requestsTo(
  source: ClusterSource,
  blockhashes: BlockhashCache,
): Pick<
  Cluster,
  | 'readAccounts'
  | 'findTransaction'
  | 'transactionStatus'
  | 'latestBlockhash'
  | 'recentPriorityFees'
  | 'simulateTransaction'
  | 'listEpochs'
> {
  const epochTimes = new EpochTimes({ ledger: source.ledger });
  const asUser = <Value>(send: () => Promise<Value>) => source.withPriority('user', send);
  return {
    readAccounts: (...request) => asUser(() => readAccounts(source, ...request)),
    findTransaction: (signature) =>
      asUser(async () => (await source.ledger.getTransactions([signature]))[0]),
    transactionStatus: (query) => asUser(() => source.ledger.getTransactionStatus(query)),
    latestBlockhash: () => asUser(() => blockhashes.latest()),
    recentPriorityFees: (writable) => asUser(() => source.getRecentPriorityFees(writable)),
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

export const openBlockhashes = (
  source: ClusterSource,
  {
    reader,
    ...options
  }: { readonly clock: () => number; readonly log: Logger } & Pick<Cluster, 'reader'>,
): BlockhashCache =>
  new BlockhashCache({
    ...options,
    fetchLatest: (minSlot: Slot) => source.getLatestBlockhash(minSlot),
    currentSlot: () => reader.at().slot,
  });

export const openConfigCheck = (
  source: ClusterSource,
  options: Omit<ConstructorParameters<typeof ConfigAccountCheck>[0], 'getAccounts'>,
): ConfigAccountCheck =>
  new ConfigAccountCheck({
    ...options,
    getAccounts: (...request) =>
      source.withPriority('backfill', () => source.getAccounts(...request)),
  });
