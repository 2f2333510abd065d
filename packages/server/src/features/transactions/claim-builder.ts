import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Address, toAddress } from '@tidegate/core/base';
import {
  type ClaimRequest,
  claimBuilder,
  parseClaimRequest,
  simulateClaim,
} from '@tidegate/core/builders';
import type { Static } from 'typebox';
import type { BuilderAction } from './builder/builder-action.ts';
import type { BuilderHandlers } from './builder/builder-handlers.ts';
import {
  defineInstructionsOperation,
  defineTransactionOperation,
  describeBuilderOperations,
} from './builder/builder-operation.ts';
import { FarmClaimRequest } from './builder/builder-schemas.ts';

const facts = describeBuilderOperations({
  name: 'FarmClaim',
  does: 'claim farm rewards',
  more: 'Either of a vault, or of the plain loan in a market, there of one reserve or of all. Every reward that can be claimed now.',
});

/** Rewards of farms, for shares and for loans. */
export const claimBuilderRoutes =
  (answers: BuilderHandlers): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/ktx/farms/claim',
      defineTransactionOperation(facts.transaction, FarmClaimRequest),
      async ({ body, query }) => answers.transaction(claim, { body, query }),
    );
    app.post(
      '/ktx/farms/claim-instructions',
      defineInstructionsOperation(facts.instructions, FarmClaimRequest),
      async ({ body, query }) => answers.instructions(claim, { body, query }),
    );
  };

const claim: BuilderAction<Static<typeof FarmClaimRequest>, ClaimRequest> = {
  builder: claimBuilder,
  parse: ({ wallet, kvault, market, reserve }, state) =>
    parseClaimRequest(
      {
        wallet: toAddress(wallet),
        kvault: given(kvault),
        market: given(market),
        reserve: given(reserve),
      },
      state,
    ),
  forecast: simulateClaim,
};

const given = (text: string | undefined): Address | undefined =>
  text === undefined ? undefined : toAddress(text);
