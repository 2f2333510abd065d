import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { userVaultHistoryRoutes } from '../earn/metrics-history/route.ts';
import { userVaultPnlRoutes } from '../earn/pnl/route.ts';
import { vaultPositionRoutes } from '../earn/positions.ts';
import { getEarnSummary } from '../earn/summary.ts';
import { listUserVaultTransactions } from '../earn/transactions.ts';
import { farmTransactionRoutes } from '../farms/transactions/route.ts';
import type { FeatureContext } from '../feature-context.ts';
import { getPortfolioPendingRewards } from '../portfolio/pending-rewards/route.ts';
import { getPortfolio } from '../portfolio/portfolio/route.ts';
import { createMarketCache } from '../pricing/market-cache.ts';
import { createVaultPricingCache } from '../pricing/vault-pricing-cache.ts';
import { getVaultAllocationVolumeHistory } from '../vaults/allocation-volume.ts';
import { getVaultAllocations } from '../vaults/allocations/route.ts';
import { vaultMetricsRoutes } from '../vaults/metrics/route.ts';
import { getVaultMetricsHistory } from '../vaults/metrics-history/route.ts';
import { shareMintRoutes } from '../vaults/share-mint.ts';
import { vaultTransactionQueryRoutes } from '../vaults/transactions/route.ts';
import { vaultRoutes } from '../vaults/vault/route.ts';

/** Vaults, their shares, and everything that a wallet has, as it is now and as it was. */
export const earnRoutes =
  (context: FeatureContext): FastifyPluginAsyncTypebox =>
  async (app) => {
    const termsOf = createVaultPricingCache();
    app.register(vaultRoutes(context));
    app.register(vaultMetricsRoutes(context, termsOf));
    app.register(getVaultAllocations(context, termsOf));
    app.register(getVaultMetricsHistory(context));
    app.register(getVaultAllocationVolumeHistory(context));
    app.register(getEarnSummary(context, termsOf));
    app.register(vaultPositionRoutes(context));
    app.register(userVaultHistoryRoutes(context));
    app.register(userVaultPnlRoutes(context, termsOf));
    app.register(listUserVaultTransactions(context));
    app.register(vaultTransactionQueryRoutes(context));
    app.register(shareMintRoutes(context, termsOf));
    app.register(getPortfolio({ ...context, termsOf, marketOf: createMarketCache() }));
    app.register(getPortfolioPendingRewards(context));
    app.register(farmTransactionRoutes(context));
  };
