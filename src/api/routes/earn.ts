import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { ApiContext } from '../context.ts';
import { createMarketsNow } from '../markets-now.ts';
import { createVaultTermsOf } from '../vault-terms.ts';
import { pendingRewardRoutes } from './pending-rewards.ts';
import { portfolioRoutes } from './portfolio.ts';
import { shareMintRoutes } from './share-mints.ts';
import { vaultAllocationRoutes } from './vault-allocations.ts';
import { vaultMetricsRoutes } from './vault-metrics.ts';
import { vaultPositionRoutes } from './vault-positions.ts';
import { vaultRoutes } from './vaults.ts';

/** Vaults, their shares, and everything that a wallet has, as it is now. */
export const earnRoutes =
  (context: ApiContext): FastifyPluginAsyncTypebox =>
  async (app) => {
    const termsOf = createVaultTermsOf();
    app.register(vaultRoutes(context));
    app.register(vaultMetricsRoutes(context, termsOf));
    app.register(vaultAllocationRoutes(context, termsOf));
    app.register(vaultPositionRoutes(context));
    app.register(shareMintRoutes(context, termsOf));
    app.register(portfolioRoutes({ ...context, termsOf, marketOf: createMarketsNow() }));
    app.register(pendingRewardRoutes(context));
  };
