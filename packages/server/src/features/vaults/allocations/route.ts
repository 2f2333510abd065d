import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { ratioOfSf, toAddress } from '@tidegate/core/base';
import { marketName } from '@tidegate/core/views/lending';
import {
  type AllocatedAmount,
  type VaultAllocationMetrics,
  viewVaultAllocations,
} from '@tidegate/core/views/vaults';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { defineOperation } from '../../../http/operation.ts';
import { AddressString } from '../../../http/schemas/primitives.ts';
import { formatIsoInstant, formatLiveRatio } from '../../decimal-format/live-decimals.ts';
import type { FeatureContext } from '../../feature-context.ts';
import { requireVaultSnapshot, type VaultPricingCache } from '../../pricing/vault-pricing-cache.ts';
import { type VaultAllocationRow, VaultAllocations } from './schema.ts';

export const getVaultAllocations =
  (
    { clusters }: Pick<FeatureContext, 'clusters'>,
    termsOf: VaultPricingCache,
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/kvaults/vaults/:pubkey/allocations',
      defineOperation(
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
        { params: Type.Object({ pubkey: AddressString }), answer: VaultAllocations },
      ),
      async ({ params }) => {
        const cluster = clusters.select(undefined);
        const { reader } = cluster;
        const vault = requireVaultSnapshot(cluster, termsOf(cluster), toAddress(params.pubkey));
        const view = viewVaultAllocations(vault, (market) => reader.reservesOf(market));
        return {
          asOf: formatIsoInstant(reader.at().unix),
          capitalDeployedUsd: formatLiveRatio(view.investedUsd),
          utilizationRatio: formatLiveRatio(view.utilization),
          allocations: view.allocations.map((allocation) => rowJson(allocation, cluster)),
          unallocated: partJson(view.unallocated),
        };
      },
    );
  };

function rowJson(
  allocation: VaultAllocationMetrics,
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
    targetWeightPct: formatLiveRatio(allocation.targetWeightPct),
    actualPct: formatLiveRatio(allocation.pct),
    suppliedTokenAmount: formatLiveRatio(allocation.tokens),
    suppliedUsd: formatLiveRatio(allocation.usd),
    capTokenAmount: cap === undefined ? null : formatLiveRatio(cap),
    utilizationRatio: formatLiveRatio(ratioOfSf(rates.utilization)),
    supplyApy: formatLiveRatio(rates.supplyApy),
    rewardsApy: formatLiveRatio(reserve.rewardsApr),
    collateral: collateral.map((pledged) => ({
      reserve: pledged.reserve,
      tokenMint: pledged.mint,
      symbol: pledged.symbol,
      liquidationLtvPct: String(pledged.liquidationLtvPct),
    })),
  };
}

function partJson({ tokens, usd, pct }: AllocatedAmount) {
  return {
    tokenAmount: formatLiveRatio(tokens),
    usd: formatLiveRatio(usd),
    pct: formatLiveRatio(pct),
  };
}
