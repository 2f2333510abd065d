import { encodeBase58, formatInstant, ZERO_ADDRESS } from '@tidegate/core/base';
import { viewVaultTransaction } from '@tidegate/core/views/transactions';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { formatSeriesRatio } from '../../../support/decimals/series-decimals.ts';
import type { EnrichedVaultEvent } from '../../../support/events/vault-events.ts';

export function vaultTransactionJson(
  { row, kind, tokenInfo, prices }: EnrichedVaultEvent,
  { reader }: Cluster,
) {
  const { tokenAmount, sharesAmount, reserve } = row;
  const view = viewVaultTransaction({ kind, tokenAmount, sharesAmount, prices }, tokenInfo);
  const market = reserve === null ? undefined : reader.reserve(reserve)?.fields.lendingMarket;
  return {
    ix: {
      ...(market === undefined ? {} : { market }),
      ...(reserve === null ? {} : { reserve }),
      ...(view.direction === undefined ? {} : { direction: view.direction }),
      solPrice: formatSeriesRatio(view.solPrice),
      sharePrice: formatSeriesRatio(view.sharePrice),
      tokenPrice: formatSeriesRatio(view.tokenPrice),
      tokenAmount: formatSeriesRatio(view.tokenAmount),
      numberOfShares: formatSeriesRatio(view.shares),
    },
    timestamp: formatInstant(row.at),
    signature: encodeBase58(row.signature),
    kvault: row.vault,
    wallet: row.wallet ?? ZERO_ADDRESS,
  };
}
