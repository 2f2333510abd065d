import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { toAddress } from '@tidegate/core/base';
import {
  type Builder,
  forecastLending,
  type LendingIntent,
  type LendingRequest,
  lendBorrow,
  lendDeposit,
  lendRepay,
  lendWithdraw,
  loanPlace,
  parseLendingRequest,
} from '@tidegate/core/builders';
import type { Static } from 'typebox';
import type { Action } from './builder/builder-action.ts';
import type { BuilderAnswers } from './builder/builder-handlers.ts';
import {
  builderFacts,
  instructionsOperation,
  transactionOperation,
} from './builder/builder-operation.ts';
import { LendingActionRequest, LendingExitRequest } from './builder/builder-schemas.ts';

type Body = Static<typeof LendingActionRequest>;

type Described = {
  readonly intent: LendingIntent;
  readonly name: string;
  readonly builder: Builder<LendingRequest>;
  readonly does: string;
  readonly more: string;
};

const operations: readonly Described[] = [
  {
    intent: 'deposit',
    name: 'LendDeposit',
    builder: lendDeposit,
    does: 'deposit into a reserve',
    more: 'A wallet that has no loan in the market gets one, without debt. SOL is wrapped.',
  },
  {
    intent: 'borrow',
    name: 'LendBorrow',
    builder: lendBorrow,
    does: 'borrow from a reserve',
    more: 'SOL arrives as SOL.',
  },
  {
    intent: 'repay',
    name: 'LendRepay',
    builder: lendRepay,
    does: 'repay a debt',
    more: 'More than the debt is never taken; everything is what is owed when it lands.',
  },
  {
    intent: 'withdraw',
    name: 'LendWithdraw',
    builder: lendWithdraw,
    does: 'withdraw a deposit',
    more: 'The amount is of the token, not of its receipts. The last withdrawal closes the loan; SOL arrives as SOL.',
  },
];

const isExit = (intent: LendingIntent): boolean => intent === 'repay' || intent === 'withdraw';

/** The plain loan of a wallet in a market. */
export const lendingBuilderRoutes =
  (answers: BuilderAnswers): FastifyPluginAsyncTypebox =>
  async (app) => {
    for (const described of operations) {
      const { intent } = described;
      const action = lendingAction(described);
      const taken = isExit(intent) ? LendingExitRequest : LendingActionRequest;
      const facts = builderFacts(described);
      app.post(
        `/ktx/klend/${intent}`,
        transactionOperation(facts.transaction, taken),
        async ({ body, query }) => answers.transaction(action, { body, query }),
      );
      app.post(
        `/ktx/klend/${intent}-instructions`,
        instructionsOperation(facts.instructions, taken),
        async ({ body, query }) => answers.instructions(action, { body, query }),
      );
    }
  };

const lendingAction = ({ intent, builder }: Described): Action<Body, LendingRequest> => ({
  builder,
  parse: ({ wallet, market, reserve, amount }, state) =>
    parseLendingRequest(
      intent,
      {
        wallet: toAddress(wallet),
        market: toAddress(market),
        reserve: toAddress(reserve),
        amount,
      },
      state,
    ),
  forecast: (request, scene) => forecastLending(intent, request, scene),
  loanOf: (request, state) => loanPlace(intent, request, state),
});
