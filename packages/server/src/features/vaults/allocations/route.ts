import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { ratioOfSf, toAddress } from '@tidegate/core/base';
import { marketName } from '@tidegate/core/views/lending';
import {
  type VaultAllocation,
  type VaultPart,
  viewVaultAllocations,
} from '@tidegate/core/views/vaults';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { operation } from '../../../http/operation.ts';
import { AddressText } from '../../../http/schemas/primitives.ts';
import { isoInstant, liveText } from '../../decimal-format/live-decimals.ts';
import type { ApiContext } from '../../feature-context.ts';
import { knownVault, type VaultTermsOf } from '../../pricing/vault-pricing-cache.ts';
import { type VaultAllocationRow, VaultAllocations } from './schema.ts';

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
