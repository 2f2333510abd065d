import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FeatureContext } from '../feature-context.ts';
import { createBuilderHandlers } from '../transactions/builder/builder-handlers.ts';
import { claimBuilderRoutes } from '../transactions/claim-builder.ts';
import { decodeTransaction } from '../transactions/decode/route.ts';
import { lendingBuilderRoutes } from '../transactions/lending-builders.ts';
import { vaultBuilderRoutes } from '../transactions/vault-builders.ts';

/** What a wallet would have to sign to act, and what somebody else asks it to sign. */
export const builderRoutes =
  (context: FeatureContext): FastifyPluginAsyncTypebox =>
  async (app) => {
    const answers = createBuilderHandlers(context);
    app.register(vaultBuilderRoutes(answers));
    app.register(lendingBuilderRoutes(answers));
    app.register(claimBuilderRoutes(answers));
    app.register(decodeTransaction(context));
  };
