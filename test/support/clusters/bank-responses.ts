import { toSlot } from '#core/base/time.ts';
import type { ClusterReader } from '#core/state/cluster-reader.ts';
import type { Bank } from '#localnet/runtime/bank.ts';
import { createClusters } from '#server/clusters/served-clusters.ts';
import { goldenCluster } from '../golden/golden.ts';
import { staticCluster } from '../golden/golden-clusters.ts';
import { goldenReader } from '../golden/golden-reader.ts';
import { startApi } from '../http/test-api.ts';

/** The response for a path as computed from the bank's accounts at a slot, without RPC. */
export type BankResponses = (path: string, slot: bigint) => Promise<unknown>;

export async function createBankResponses(bank: Bank): Promise<BankResponses> {
  const addresses = [...goldenCluster().accounts.keys()];
  let reader: ClusterReader = goldenReader();
  let version = 0;
  const readBank = (slot: bigint): ClusterReader => {
    const { account, time: at } = bank.view(toSlot(slot));
    const accounts = new Map(
      addresses.flatMap((address) => {
        const found = account(address);
        return found === undefined ? [] : [[address, found] as const];
      }),
    );
    const currentVersion = ++version;
    return goldenReader({ at, accounts, version: () => currentVersion });
  };
  const cluster = {
    ...staticCluster({ reader }),
    get reader() {
      return reader;
    },
  };
  const { get } = await startApi({ clusters: createClusters([cluster]) });
  let queue: Promise<unknown> = Promise.resolve();
  return (path, slot) => {
    // Read now, because the bank drops old slots. Requests run one by one, because they share a
    // server.
    const slotReader = readBank(slot);
    const response = queue.then(async () => {
      reader = slotReader;
      return (await get(path)).body;
    });
    queue = response.catch(() => undefined);
    return response;
  };
}
