import { toAddress } from '@tidegate/core/base';
import { collectAvailable } from '@tidegate/core/views/lending';
import { trackPrices, viewVaultAllocations } from '@tidegate/core/views/vaults';
import { Type } from 'typebox';
import { defineOperation } from '../../../http/operation.ts';
import { formatIsoInstant, formatLiveRatio } from '../../../support/decimals/live-decimals.ts';
import { setPriceHeaders } from '../../../support/pricing/data-notes.ts';
import { VAULT_DEPENDENCIES } from '../../../support/pricing/dependencies.ts';
import {
  requireVaultSnapshot,
  vaultPricingCache,
} from '../../../support/pricing/vault-pricing-cache.ts';
import { VaultParameter } from '../../../support/schemas/address-parameters.ts';
import type { OperationPlugin } from '../../operation-context.ts';
import { allocationJson, unallocatedJson } from './json.ts';
import { VaultAllocations } from './schema.ts';

export const getVaultAllocations: OperationPlugin = (context) => async (app) => {
  const { clusters } = context;
  const pricingOf = vaultPricingCache(context);

  app.get(
    '/kvaults/vaults/:pubkey/allocations',
    defineOperation(
      {
        operationId: 'getVaultAllocations',
        tag: 'earn',
        summary: 'Allocations of a vault',
        description:
          'One row per reserve of the allocation strategy, in account order. Pct fields are percentages; ratios and APYs are fractions.',
        weight: 1,
        statuses: [400, 500],
        answersNotFound: true,
        dependsOn: VAULT_DEPENDENCIES,
      },
      { params: Type.Object({ pubkey: VaultParameter }), response: VaultAllocations },
    ),
    async ({ params }, reply) => {
      const cluster = clusters.requireLoaded(undefined);
      const { reader } = cluster;
      const pricing = trackPrices(pricingOf(cluster));
      const vault = requireVaultSnapshot(cluster, pricing, toAddress(params.pubkey));
      const view = viewVaultAllocations(vault, (market) => reader.reservesOf(market));
      const { omitted } = collectAvailable(
        vault.holdings.invested.map(({ reserve: address }) => ({ address })),
        ({ address }) => pricing.requireReserve(address),
      );
      setPriceHeaders(reply, pricing, omitted);
      return {
        asOf: formatIsoInstant(reader.at().unix),
        capitalDeployedUsd: formatLiveRatio(view.investedUsd),
        utilizationRatio: formatLiveRatio(view.utilization),
        allocations: view.allocations.map((allocation) => allocationJson(allocation, cluster)),
        unallocated: unallocatedJson(view.unallocated),
      };
    },
  );
};
