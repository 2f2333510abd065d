import type { Address } from '@tidegate/core/base';
import {
  type CTokenAccount,
  type CTokenHolding,
  ctokenAccounts,
  type PortfolioSection,
  viewCTokenHoldings,
} from '@tidegate/core/views/portfolio';
import { BoundedMap } from '../../../caching/bounded-map.ts';
import type { AccountsAtSlot, Cluster } from '../../../clusters/served-clusters.ts';
import { CodedError } from '../../../errors.ts';
import type { MarketCache } from '../../../support/pricing/market-cache.ts';

/** Most wallets whose account addresses stay in memory, because deriving them is slow. */
const MAX_WALLETS = 200;

/** Reads the cTokens in a wallet, which the state does not have. */
export type CTokenReader = (
  owner: Address,
  cluster: Cluster,
  programId: Address,
) => Promise<CTokenBalances>;

/** The accounts as read, or why they could not be read. */
export type CTokenBalances = {
  readonly accounts: readonly CTokenAccount[];
  readonly read: AccountsAtSlot['accounts'] | CodedError;
};

export function createCTokenReader(): CTokenReader {
  const known = new BoundedMap<string, readonly CTokenAccount[]>({ max: MAX_WALLETS });
  return async (owner, cluster, programId) => {
    const { reader } = cluster;
    const reserves = reader
      .markets()
      .filter(({ program }) => program === programId)
      .flatMap(({ address }) => reader.reservesOf(address));
    const key = `${owner} ${programId} ${reserves.length}`;
    const accounts = known.get(key) ?? ctokenAccounts(owner, reserves);
    known.set(key, accounts);
    return { accounts, read: await readOrError(cluster, accounts) };
  };
}

async function readOrError(
  cluster: Cluster,
  accounts: readonly CTokenAccount[],
): Promise<CTokenBalances['read']> {
  if (accounts.length === 0) return new Map();
  const addresses = accounts.map(({ address }) => address);
  try {
    return (await cluster.readAccounts(addresses, cluster.reader.at().slot)).accounts;
  } catch (error) {
    if (error instanceof CodedError) return error;
    throw error;
  }
}

/** A section without items, but with an error, if the accounts could not be read. */
export function ctokenSection(
  { accounts, read }: CTokenBalances,
  { reader }: Cluster,
  marketOf: MarketCache,
): PortfolioSection<CTokenHolding> {
  if (read instanceof CodedError) return { items: [], errors: [read.code], omitted: [] };
  return viewCTokenHoldings(accounts, read, (address) => marketOf(reader, address));
}
