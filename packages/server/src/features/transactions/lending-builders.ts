import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { toAddress } from '@tidegate/core/base';
import {
  type Builder,
  borrowBuilder,
  depositBuilder,
  type LendingActionKind,
  type LendingRequest,
  loanAddressesOf,
  parseLendingRequest,
  repayBuilder,
  simulateLending,
  withdrawBuilder,
} from '@tidegate/core/builders';
import type { Static } from 'typebox';
import type { BuilderAction } from './builder/builder-action.ts';
import type { BuilderHandlers } from './builder/builder-handlers.ts';
import {
  defineInstructionsOperation,
  defineTransactionOperation,
  describeBuilderOperations,
} from './builder/builder-operation.ts';
import { LendingActionRequest, LendingExitRequest } from './builder/builder-schemas.ts';

type Body = Static<typeof LendingActionRequest>;

type Described = {
  readonly intent: LendingActionKind;
  readonly name: string;
  readonly builder: Builder<LendingRequest>;
  readonly does: string;
  readonly more: string;
};

const operations: readonly Described[] = [
  {
    intent: 'deposit',
    name: 'LendDeposit',
    builder: depositBuilder,
    does: 'deposit into a reserve',
    more: 'A wallet that has no loan in the market gets one, without debt. SOL is wrapped.',
  },
  {
    intent: 'borrow',
    name: 'LendBorrow',
    builder: borrowBuilder,
    does: 'borrow from a reserve',
    more: 'SOL arrives as SOL.',
  },
  {
    intent: 'repay',
    name: 'LendRepay',
    builder: repayBuilder,
    does: 'repay a debt',
    more: 'More than the debt is never taken; everything is what is owed when it lands.',
  },
  {
    intent: 'withdraw',
    name: 'LendWithdraw',
    builder: withdrawBuilder,
    does: 'withdraw a deposit',
    more: 'The amount is of the token, not of its receipts. The last withdrawal closes the loan; SOL arrives as SOL.',
  },
];

const isExit = (intent: LendingActionKind): boolean => intent === 'repay' || intent === 'withdraw';

/** The plain loan of a wallet in a market. */
export const lendingBuilderRoutes =
  (answers: BuilderHandlers): FastifyPluginAsyncTypebox =>
  async (app) => {
    for (const described of operations) {
      const { intent } = described;
      const action = lendingAction(described);
      const taken = isExit(intent) ? LendingExitRequest : LendingActionRequest;
      const facts = describeBuilderOperations(described);
      app.post(
        `/ktx/klend/${intent}`,
        defineTransactionOperation(facts.transaction, taken),
        async ({ body, query }) => answers.transaction(action, { body, query }),
      );
      app.post(
        `/ktx/klend/${intent}-instructions`,
        defineInstructionsOperation(facts.instructions, taken),
        async ({ body, query }) => answers.instructions(action, { body, query }),
      );
    }
  };

const lendingAction = ({ intent, builder }: Described): BuilderAction<Body, LendingRequest> => ({
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
  forecast: (request, scene) => simulateLending(intent, request, scene),
  loanOf: (request, state) => loanAddressesOf(intent, request, state),
});
