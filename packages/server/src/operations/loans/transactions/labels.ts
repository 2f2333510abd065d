import { type Address, toUnixSeconds } from '@tidegate/core/base';
import { obligationTagName } from '@tidegate/core/views/lending';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { readObligationSnapshots } from '../../../history/queries/obligation-snapshots.ts';
import { requireHistory } from '../../../support/history/history-query.ts';
import {
  tokenSymbolOrMint,
  vaultPricingCache,
} from '../../../support/pricing/vault-pricing-cache.ts';
import type { OperationContext } from '../../operation-context.ts';
import type { LendingTransactionLabels, LoanTransaction } from './json.ts';

type LabelReader = (
  cluster: Cluster,
  transactions: readonly LoanTransaction[],
) => Promise<LendingTransactionLabels>;

/** Labels a closed loan with its last recorded type. */
export function labelReader(context: OperationContext): LabelReader {
  const pricingOf = vaultPricingCache(context);
  return async (cluster, transactions) => {
    const { registry, reader } = cluster;
    const types = new Map<Address, string>();
    for (const obligation of new Set(transactions.map((transaction) => transaction.obligation))) {
      const tag =
        reader.obligation(obligation)?.fields.tag ?? (await readLastTag(cluster, obligation));
      types.set(obligation, tag === undefined ? 'Unknown' : obligationTagName(Number(tag)));
    }
    const source = { registry, pricing: pricingOf(cluster), catalogue: context.tokens };
    return {
      symbolOf: (mint) => tokenSymbolOrMint(mint, source),
      typeOf: (obligation) => types.get(obligation) ?? 'Unknown',
    };
  };
}

async function readLastTag(cluster: Cluster, obligation: Address): Promise<bigint | undefined> {
  const end = toUnixSeconds(cluster.reader.at().unix + 1n);
  const states = await readObligationSnapshots(requireHistory(cluster), obligation, end);
  return states.findLast(({ fields }) => fields !== undefined)?.fields?.tag;
}
