import type { Address } from '#core/base/encoding/address.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { oraclePrices } from '#core/protocol/scope/layout/oracle-prices.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import type { Cluster } from '#server/clusters/served-clusters.ts';
import type { GoldenLocalnet } from '../localnet/golden-localnet.ts';

const isWrittenEachSlot = (account: ClusterAccount): boolean => oraclePrices.matches(account);

/** Addresses whose stored bytes are not those of the node. Its keepers write prices in every slot. */
export function differingAccounts({ reader }: Cluster, { localnet }: GoldenLocalnet): Address[] {
  if (!(reader instanceof ClusterState)) throw new Error('the state is not that of a writer');
  return [...localnet.bank.accounts()].flatMap(({ address, account }) =>
    isWrittenEachSlot(account) ||
    reader.stored(address) === undefined ||
    reader.holds(address, account)
      ? []
      : [address],
  );
}
