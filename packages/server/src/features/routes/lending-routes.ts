import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { ApiContext } from '../feature-context.ts';
import type { PastPieces } from '../history-query/history-chunk-cache.ts';
import { obligationInterestRoutes } from '../loans/interest/route.ts';
import { obligationHistoryRoutes } from '../loans/metrics-history/route.ts';
import { obligationPnlRoutes } from '../loans/pnl.ts';
import { lendingTransactionRoutes } from '../loans/transactions/route.ts';
import { obligationRoutes } from '../loans/user-obligations/route.ts';
import { leverageRoutes } from '../markets/leverage/route.ts';
import { marketRoutes } from '../markets/market.ts';
import { marketHistoryRoutes } from '../markets/metrics-history.ts';
import { marketTransactionQueryRoutes } from '../markets/transactions/route.ts';
import { createMarketsNow } from '../pricing/market-cache.ts';
import { createVaultTermsOf } from '../pricing/vault-pricing-cache.ts';
import { borrowStakingHistoryRoutes } from '../reserves/borrow-staking-history.ts';
import { reserveRoutes } from '../reserves/metrics.ts';
import { reserveHistoryRoutes } from '../reserves/metrics-history/route.ts';
import { stakingYieldRoutes } from '../staking/staking-yields.ts';
import { rewardRoutes } from './reward-routes.ts';

/** Markets, their reserves and the loans in them, as they are and as they were. */
export const lendingRoutes =
  (context: ApiContext, pieces: PastPieces): FastifyPluginAsyncTypebox =>
  async (app) => {
    const marketOf = createMarketsNow();
    const termsOf = createVaultTermsOf();
    app.register(marketRoutes(context));
    app.register(reserveRoutes(context, marketOf));
    app.register(leverageRoutes(context, marketOf));
    app.register(obligationRoutes(context, marketOf));
    app.register(rewardRoutes(context));
    app.register(reserveHistoryRoutes(context, pieces));
    app.register(marketHistoryRoutes(context));
    app.register(obligationHistoryRoutes(context, pieces));
    app.register(obligationPnlRoutes(context, { marketOf, termsOf }));
    app.register(obligationInterestRoutes(context));
    app.register(lendingTransactionRoutes(context, termsOf));
    app.register(marketTransactionQueryRoutes(context));
    app.register(borrowStakingHistoryRoutes(context));
    app.register(stakingYieldRoutes(context));
  };
