import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { ApiContext } from '../feature-context.ts';
import { createVaultTermsOf } from '../pricing/vault-pricing-cache.ts';
import { rewardHistoryRoutes } from '../rewards/reward-history.ts';
import { createSeasonTables } from '../rewards/season-eligibility-cache.ts';
import { seasonRewardRoutes } from '../rewards/season-rewards.ts';
import { userRewardRoutes } from '../rewards/user-rewards/route.ts';

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
