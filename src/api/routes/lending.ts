import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { ApiContext } from '../context.ts';
import { createMarketsNow } from '../markets-now.ts';
import type { PastPieces } from '../past-pieces.ts';
import { createVaultTermsOf } from '../vault-terms.ts';
import { borrowStakingHistoryRoutes } from './borrow-staking-history.ts';
import { lendingTransactionRoutes } from './lending-transactions.ts';
import { leverageRoutes } from './leverage.ts';
import { marketHistoryRoutes } from './market-history.ts';
import { marketTransactionQueryRoutes } from './market-transaction-queries.ts';
import { marketRoutes } from './markets.ts';
import { obligationHistoryRoutes } from './obligation-history.ts';
import { obligationInterestRoutes } from './obligation-interest.ts';
import { obligationPnlRoutes } from './obligation-pnl.ts';
import { obligationRoutes } from './obligations.ts';
import { reserveHistoryRoutes } from './reserve-history.ts';
import { reserveRoutes } from './reserves.ts';
import { rewardRoutes } from './rewards.ts';
import { stakingYieldRoutes } from './staking-yields.ts';

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
