import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FeatureContext } from '../feature-context.ts';
import { createVaultPricingCache } from '../pricing/vault-pricing-cache.ts';
import { getLendingRewardHistory } from '../rewards/reward-history.ts';
import { createSeasonEligibilityCache } from '../rewards/season-eligibility-cache.ts';
import { seasonRewardRoutes } from '../rewards/season-rewards.ts';
import { userRewardRoutes } from '../rewards/user-rewards/route.ts';

/** What seasons give from outside of the programs. */
export const rewardRoutes =
  (context: FeatureContext): FastifyPluginAsyncTypebox =>
  async (app) => {
    const termsOf = createVaultPricingCache();
    const outside = {
      ...context,
      termsOf,
      tableOf: createSeasonEligibilityCache({ ...context, termsOf }),
    };
    app.register(seasonRewardRoutes(outside));
    app.register(userRewardRoutes(outside));
    app.register(getLendingRewardHistory(context));
  };
