import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { createBuilderAnswers } from '../builder-answer.ts';
import type { ApiContext } from '../context.ts';
import { claimBuilderRoutes } from './claim-builder.ts';
import { decodeRoutes } from './decode.ts';
import { lendingBuilderRoutes } from './lending-builders.ts';
import { vaultBuilderRoutes } from './vault-builders.ts';

/** What a wallet would have to sign to act, and what somebody else asks it to sign. */
export const builderRoutes =
  (context: ApiContext): FastifyPluginAsyncTypebox =>
  async (app) => {
    const answers = createBuilderAnswers(context);
    app.register(vaultBuilderRoutes(answers));
    app.register(lendingBuilderRoutes(answers));
    app.register(claimBuilderRoutes(answers));
    app.register(decodeRoutes(context));
  };
