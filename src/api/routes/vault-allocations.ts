import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { toAddress } from '../../base/address.ts';
import { ratioOfSf } from '../../base/ratio.ts';
import { marketName } from '../../views/market.ts';
import {
  type VaultAllocation,
  type VaultPart,
  viewVaultAllocations,
} from '../../views/vault-allocations.ts';
import type { Cluster } from '../clusters.ts';
import type { ApiContext } from '../context.ts';
import { isoInstant, liveText } from '../live-figures.ts';
import { operation } from '../operation.ts';
import { AddressText } from '../schemas/primitives.ts';
import { type VaultAllocationRow, VaultAllocations } from '../schemas/vault-allocations.ts';
import { knownVault, type VaultTermsOf } from '../vault-terms.ts';

export const vaultAllocationRoutes =
  ({ clusters }: Pick<ApiContext, 'clusters'>, termsOf: VaultTermsOf): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/kvaults/vaults/:pubkey/allocations',
      operation(
        {
          operationId: 'getVaultAllocations',
          tag: 'earn',
          summary: 'Where a vault has lent its tokens',
          description:
            'One row for each reserve of its strategy, in the order of the account. Pct fields are percent, ratios and APYs fractions.',
          weight: 1,
          statuses: [400, 500],
          keptWhile: () => clusters.version(),
        },
        { params: Type.Object({ pubkey: AddressText }), answer: VaultAllocations },
      ),
      async ({ params }) => {
        const cluster = clusters.select(undefined);
        const { reader } = cluster;
        const vault = knownVault(cluster, termsOf(cluster), toAddress(params.pubkey));
        const view = viewVaultAllocations(vault, (market) => reader.reservesOf(market));
        return {
          asOf: isoInstant(reader.at().unix),
          capitalDeployedUsd: liveText(view.investedUsd),
          utilizationRatio: liveText(view.utilization),
          allocations: view.allocations.map((allocation) => rowJson(allocation, cluster)),
          unallocated: partJson(view.unallocated),
        };
      },
    );
  };

function rowJson(
  allocation: VaultAllocation,
  { registry }: Cluster,
): Static<typeof VaultAllocationRow> {
  const { reserve, cap, collateral } = allocation;
  const { market, now, rates } = reserve;
  return {
    reserve: now.address,
    market: market.address,
    marketName: registry.market(market.address)?.name ?? marketName(market.fields),
    tokenMint: now.mint,
    symbol: now.symbol,
    targetWeightPct: liveText(allocation.targetWeightPct),
    actualPct: liveText(allocation.pct),
    suppliedTokenAmount: liveText(allocation.tokens),
    suppliedUsd: liveText(allocation.usd),
    capTokenAmount: cap === undefined ? null : liveText(cap),
    utilizationRatio: liveText(ratioOfSf(rates.utilization)),
    supplyApy: liveText(rates.supplyApy),
    rewardsApy: liveText(reserve.rewardsApr),
    collateral: collateral.map((pledged) => ({
      reserve: pledged.reserve,
      tokenMint: pledged.mint,
      symbol: pledged.symbol,
      liquidationLtvPct: String(pledged.liquidationLtvPct),
    })),
  };
}

function partJson({ tokens, usd, pct }: VaultPart) {
  return { tokenAmount: liveText(tokens), usd: liveText(usd), pct: liveText(pct) };
}
