import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { ApiContext } from '../context.ts';
import { createMarketsNow } from '../markets-now.ts';
import { createVaultTermsOf } from '../vault-terms.ts';
import { earnSummaryRoutes } from './earn-summary.ts';
import { farmTransactionRoutes } from './farm-transactions.ts';
import { pendingRewardRoutes } from './pending-rewards.ts';
import { portfolioRoutes } from './portfolio.ts';
import { shareMintRoutes } from './share-mints.ts';
import { userVaultHistoryRoutes } from './user-vault-history.ts';
import { userVaultPnlRoutes } from './user-vault-pnl.ts';
import { vaultAllocationRoutes } from './vault-allocations.ts';
import { vaultHistoryRoutes } from './vault-history.ts';
import { vaultMetricsRoutes } from './vault-metrics.ts';
import { vaultPositionRoutes } from './vault-positions.ts';
import { vaultTransactionQueryRoutes } from './vault-transaction-queries.ts';
import { vaultTransactionRoutes } from './vault-transactions.ts';
import { vaultVolumeRoutes } from './vault-volumes.ts';
import { vaultRoutes } from './vaults.ts';

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
