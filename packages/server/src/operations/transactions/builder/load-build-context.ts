import { type Address, type Slot, ZERO_ADDRESS } from '@tidegate/core/base';
import {
  type BuildContext,
  type Builder,
  readWalletMetadata,
  type WalletAccount,
} from '@tidegate/core/builders';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { CodedError } from '../../../errors.ts';
import type { WalletCache } from './wallet-cache.ts';

/** The part of a request that decides which accounts a build needs. */
type AccountOwner = { readonly wallet: Address; readonly market?: Address | undefined };

type AccountSource = {
  readonly cluster: Pick<Cluster, 'env' | 'reader' | 'registry' | 'marketTables' | 'readAccounts'>;
  readonly walletCache: WalletCache;
  /** Truncates each account, where a request names accounts that can be of any size. */
  readonly maxAccountBytes?: number | undefined;
};

type LoadedContext = {
  /** Build before the next await, because the cluster state changes. */
  readonly context: BuildContext;
  /** Slot of the last read. A simulation at an older slot may not have the accounts. */
  readonly slot: Slot;
  /** Round trips: usually one, two if an account refers to unknown ones. */
  readonly reads: number;
};

/** A builder that needs more reads would never finish. */
const MAX_READS = 3;

/**
 * Reads the accounts that a build depends on. None is older than the cluster state at the time of the request, so the
 * build includes the wallet's latest transaction.
 */
export async function loadBuildContext<Request extends AccountOwner>(
  builder: Pick<Builder<Request>, 'requiredAccounts'>,
  request: Request,
  { cluster, walletCache, maxAccountBytes }: AccountSource,
): Promise<LoadedContext> {
  const { env, reader: state } = cluster;
  const { wallet } = request;
  const market = request.market === undefined ? undefined : state.market(request.market);
  const walletKey = market && { env, program: market.program, wallet };
  const walletMetadata = walletKey && walletCache.get(walletKey);
  const accounts = new Map<Address, WalletAccount | undefined>();
  const context: BuildContext = {
    state,
    accounts,
    marketLookupTable: market && marketLookupTable(cluster, market.address),
    ...(walletMetadata && { walletMetadata }),
  };

  let { slot } = state.at();
  let reads = 0;
  for (;;) {
    const required = builder.requiredAccounts(request, context);
    if (required.length === 0) break;
    if (reads === MAX_READS) throw tooManyReads(required);
    const read = await cluster.readAccounts(required, slot, maxAccountBytes);
    for (const [address, account] of read.accounts) accounts.set(address, account);
    slot = read.slot;
    reads += 1;
  }
  const metadata = readWalletMetadata(context, wallet);
  if (walletKey !== undefined && metadata !== undefined) walletCache.set(walletKey, metadata);
  return { context, slot, reads };
}

/** A search for an unknown table continues in the background; later builds use what it finds. */
function marketLookupTable(
  { registry, marketTables }: AccountSource['cluster'],
  market: Address,
): Address | undefined {
  const table = registry.market(market)?.lookupTable ?? ZERO_ADDRESS;
  if (table !== ZERO_ADDRESS) return table;
  marketTables.request(market);
  return marketTables.tableOf(market);
}

function tooManyReads(required: readonly Address[]): CodedError {
  const reason = `after ${MAX_READS} reads it still needs ${required.join(', ')}`;
  return new CodedError('UNSAFE_BUILD', { reason });
}
