import { toSlot } from '#core/base/time.ts';
import type { ClusterReader } from '#core/state/cluster-reader.ts';
import type { Bank } from '#localnet/runtime/bank.ts';
import { createClusters } from '#server/clusters/served-clusters.ts';
import { goldenCluster } from '../golden/golden.ts';
import { staticCluster } from '../golden/golden-clusters.ts';
import { goldenReader } from '../golden/golden-reader.ts';
import { startApi } from '../http/test-api.ts';

/** What a path answers when it is made from the bank's own accounts as of a slot: nothing went over a wire. */
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
    const turn = ++version;
    return goldenReader({ at, accounts, version: () => turn });
  };
  const cluster = {
    ...staticCluster({ reader }),
    get reader() {
      return reader;
    },
  };
  const { get } = await startApi({ clusters: createClusters([cluster]) });
  let last: Promise<unknown> = Promise.resolve();
  return (path, slot) => {
    // read now, as the bank forgets; asked one by one, as all have one server
    const asOf = readBank(slot);
    const answered = last.then(async () => {
      reader = asOf;
      return (await get(path)).body;
    });
    last = answered.catch(() => undefined);
    return answered;
  };
}
