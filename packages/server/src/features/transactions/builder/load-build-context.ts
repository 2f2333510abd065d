import { type Address, CodedError, type Slot, ZERO_ADDRESS } from '@tidegate/core/base';
import {
  type BuildContext,
  type Builder,
  readWalletMetadata,
  type WalletAccount,
} from '@tidegate/core/builders';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import type { WalletCache } from './wallet-cache.ts';

/** Of every request, what tells whose accounts are needed. */
type Asking = { readonly wallet: Address; readonly market?: Address | undefined };

type ReadCluster = Pick<Cluster, 'env' | 'reader' | 'registry' | 'readAccounts'>;

type Gathered = {
  /** To be built on before anything else is waited for: state goes on. */
  readonly scene: BuildContext;
  /** Of the last read; a simulation at an older one may not know what was built on. */
  readonly slot: Slot;
  /** Round trips. One is usual; two where an account names others that were not known. */
  readonly reads: number;
};

/** A builder that still needs something then would never have enough. */
const MOST_READS = 3;

/**
 * Reads what a build depends on. Nothing of it is older than state is when it is asked for, so that a wallet which
 * has just acted is not built on what it had before.
 */
export async function loadBuildContext<Request extends Asking>(
  builder: Builder<Request>,
  request: Request,
  { cluster, memory }: { readonly cluster: ReadCluster; readonly memory: WalletCache },
): Promise<Gathered> {
  const { env, reader: state } = cluster;
  const { wallet } = request;
  const market = request.market === undefined ? undefined : state.market(request.market);
  const known = market && { env, program: market.program, wallet };
  const facts = known && memory.recall(known);
  const accounts = new Map<Address, WalletAccount | undefined>();
  const marketTable = market && tableOf(cluster, market.address);
  const scene: BuildContext = { state, accounts, marketTable, ...(facts && { facts }) };

  let { slot } = state.at();
  let reads = 0;
  for (;;) {
    const needed = builder.needs(request, scene);
    if (needed.length === 0) break;
    if (reads === MOST_READS) throw endless(needed);
    const read = await cluster.readAccounts(needed, slot);
    for (const [address, account] of read.accounts) accounts.set(address, account);
    slot = read.slot;
    reads += 1;
  }
  const named = readWalletMetadata(scene, wallet);
  if (known !== undefined && named !== undefined) memory.remember(known, named);
  return { scene, slot, reads };
}

function tableOf({ registry }: ReadCluster, market: Address): Address | undefined {
  const table = registry.market(market)?.lookupTable;
  return table === ZERO_ADDRESS ? undefined : table;
}

function endless(needed: readonly Address[]): CodedError {
  const reason = `after ${MOST_READS} reads it still needs ${needed.join(', ')}`;
  return new CodedError('UNSAFE_BUILD', { reason });
}
