import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { userVaultHistoryRoutes } from '../earn/metrics-history/route.ts';
import { userVaultPnlRoutes } from '../earn/pnl/route.ts';
import { vaultPositionRoutes } from '../earn/positions.ts';
import { earnSummaryRoutes } from '../earn/summary.ts';
import { vaultTransactionRoutes } from '../earn/transactions.ts';
import { farmTransactionRoutes } from '../farms/transactions/route.ts';
import type { ApiContext } from '../feature-context.ts';
import { pendingRewardRoutes } from '../portfolio/pending-rewards/route.ts';
import { portfolioRoutes } from '../portfolio/portfolio/route.ts';
import { createMarketsNow } from '../pricing/market-cache.ts';
import { createVaultTermsOf } from '../pricing/vault-pricing-cache.ts';
import { vaultVolumeRoutes } from '../vaults/allocation-volume.ts';
import { vaultAllocationRoutes } from '../vaults/allocations/route.ts';
import { vaultMetricsRoutes } from '../vaults/metrics/route.ts';
import { vaultHistoryRoutes } from '../vaults/metrics-history/route.ts';
import { shareMintRoutes } from '../vaults/share-mint.ts';
import { vaultTransactionQueryRoutes } from '../vaults/transactions/route.ts';
import { vaultRoutes } from '../vaults/vault/route.ts';

/** Vaults, their shares, and everything that a wallet has, as it is now and as it was. */
export const earnRoutes =
  (context: ApiContext): FastifyPluginAsyncTypebox =>
  async (app) => {
    const termsOf = createVaultTermsOf();
    app.register(vaultRoutes(context));
    app.register(vaultMetricsRoutes(context, termsOf));
    app.register(vaultAllocationRoutes(context, termsOf));
    app.register(vaultHistoryRoutes(context));
    app.register(vaultVolumeRoutes(context));
    app.register(earnSummaryRoutes(context, termsOf));
    app.register(vaultPositionRoutes(context));
    app.register(userVaultHistoryRoutes(context));
    app.register(userVaultPnlRoutes(context, termsOf));
    app.register(vaultTransactionRoutes(context));
    app.register(vaultTransactionQueryRoutes(context));
    app.register(shareMintRoutes(context, termsOf));
    app.register(portfolioRoutes({ ...context, termsOf, marketOf: createMarketsNow() }));
    app.register(pendingRewardRoutes(context));
    app.register(farmTransactionRoutes(context));
  };
