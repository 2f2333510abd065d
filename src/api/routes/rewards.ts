import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { ApiContext } from '../context.ts';
import { createSeasonTables } from '../season-tables.ts';
import { createVaultTermsOf } from '../vault-terms.ts';
import { rewardHistoryRoutes } from './reward-history.ts';
import { seasonRewardRoutes } from './season-rewards.ts';
import { userRewardRoutes } from './user-rewards.ts';

/** What seasons give from outside of the programs. */
export const rewardRoutes =
  (context: ApiContext): FastifyPluginAsyncTypebox =>
  async (app) => {
    const termsOf = createVaultTermsOf();
    const outside = { ...context, termsOf, tableOf: createSeasonTables({ ...context, termsOf }) };
    app.register(seasonRewardRoutes(outside));
    app.register(userRewardRoutes(outside));
    app.register(rewardHistoryRoutes(context));
  };
