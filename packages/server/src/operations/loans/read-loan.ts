import type { Address } from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import type { MarketSnapshot } from '@tidegate/core/views/lending';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { CodedError } from '../../errors.ts';
import { missingAccountError, requireReadable } from '../../support/pricing/data-notes.ts';

/** A loan and its market. Throws NOT_FOUND for an unknown one. */
export async function readLoan(
  cluster: Cluster,
  address: Address,
  marketOf: (reader: ClusterReader, market: Address) => MarketSnapshot | undefined,
) {
  const { reader } = cluster;
  await cluster.loadObligation(address);
  requireReadable(reader, address);
  const obligation = reader.obligation(address);
  if (obligation === undefined) throw new CodedError('NOT_FOUND', { what: 'loan', address });
  const { lendingMarket } = obligation.fields;
  const market = marketOf(reader, lendingMarket);
  if (market === undefined) throw missingAccountError(reader, lendingMarket, 'market');
  return { obligation, market };
}
