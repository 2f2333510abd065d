import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FeatureContext } from '../feature-context.ts';
import type { HistoryChunkCache } from '../history-query/history-chunk-cache.ts';
import { obligationInterestRoutes } from '../loans/interest/route.ts';
import { getObligationHistory } from '../loans/metrics-history/route.ts';
import { getObligationPnl } from '../loans/pnl.ts';
import { lendingTransactionRoutes } from '../loans/transactions/route.ts';
import { obligationRoutes } from '../loans/user-obligations/route.ts';
import { getLeverageMetrics } from '../markets/leverage/route.ts';
import { marketRoutes } from '../markets/market.ts';
import { getMarketHistory } from '../markets/metrics-history.ts';
import { queryMarketTransactions } from '../markets/transactions/route.ts';
import { createMarketCache } from '../pricing/market-cache.ts';
import { createVaultPricingCache } from '../pricing/vault-pricing-cache.ts';
import { borrowStakingHistoryRoutes } from '../reserves/borrow-staking-history.ts';
import { reserveRoutes } from '../reserves/metrics.ts';
import { getReserveHistory } from '../reserves/metrics-history/route.ts';
import { listStakingYields } from '../staking/staking-yields.ts';
import { rewardRoutes } from './reward-routes.ts';

/** Markets, their reserves and the loans in them, as they are and as they were. */
export const lendingRoutes =
  (context: FeatureContext, pieces: HistoryChunkCache): FastifyPluginAsyncTypebox =>
  async (app) => {
    const marketOf = createMarketCache();
    const termsOf = createVaultPricingCache();
    app.register(marketRoutes(context));
    app.register(reserveRoutes(context, marketOf));
    app.register(getLeverageMetrics(context, marketOf));
    app.register(obligationRoutes(context, marketOf));
    app.register(rewardRoutes(context));
    app.register(getReserveHistory(context, pieces));
    app.register(getMarketHistory(context));
    app.register(getObligationHistory(context, pieces));
    app.register(getObligationPnl(context, { marketOf, termsOf }));
    app.register(obligationInterestRoutes(context));
    app.register(lendingTransactionRoutes(context, termsOf));
    app.register(queryMarketTransactions(context));
    app.register(borrowStakingHistoryRoutes(context));
    app.register(listStakingYields(context));
  };
