import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { type Address, toAddress } from '../../base/address.ts';
import { type ClaimRequest, parseClaimRequest } from '../../builders/claim-request.ts';
import { claimRewards } from '../../builders/claim-rewards.ts';
import { forecastClaim } from '../../builders/forecast-claim.ts';
import type { Action } from '../action.ts';
import type { BuilderAnswers } from '../builder-answer.ts';
import { builderFacts, instructionsOperation, transactionOperation } from '../builder-operation.ts';
import { FarmClaimRequest } from '../schemas/builders.ts';

const facts = builderFacts({
  name: 'FarmClaim',
  does: 'claim farm rewards',
  more: 'Either of a vault, or of the plain loan in a market, there of one reserve or of all. Every reward that can be claimed now.',
});

/** Rewards of farms, for shares and for loans. */
export const claimBuilderRoutes =
  (answers: BuilderAnswers): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/ktx/farms/claim',
      transactionOperation(facts.transaction, FarmClaimRequest),
      async ({ body, query }) => answers.transaction(claim, { body, query }),
    );
    app.post(
      '/ktx/farms/claim-instructions',
      instructionsOperation(facts.instructions, FarmClaimRequest),
      async ({ body, query }) => answers.instructions(claim, { body, query }),
    );
  };

const claim: Action<Static<typeof FarmClaimRequest>, ClaimRequest> = {
  builder: claimRewards,
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
  forecast: forecastClaim,
};

const given = (text: string | undefined): Address | undefined =>
  text === undefined ? undefined : toAddress(text);
