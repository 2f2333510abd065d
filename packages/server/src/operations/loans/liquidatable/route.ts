import { toAddress } from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import {
  type LiquidatableLoan,
  type MarketSnapshot,
  type Omission,
  requireUnavailable,
  viewLiquidatableLoan,
} from '@tidegate/core/views/lending';
import { type Static, Type } from 'typebox';
import { CodedError } from '../../../errors.ts';
import { defineOperation } from '../../../http/operation.ts';
import { describe } from '../../../http/schemas/describe.ts';
import {
  AddressString,
  ClusterNameString,
  DecimalString,
  U64String,
} from '../../../http/schemas/primitives.ts';
import { formatLiveRatio } from '../../../support/decimals/live-decimals.ts';
import { requireAllLoans } from '../../../support/loans/require-all-loans.ts';
import {
  loanPriceAges,
  requireReadable,
  setOmittedHeader,
  setStalePricesHeader,
  unavailableReserves,
} from '../../../support/pricing/data-notes.ts';
import { LOAN_DEPENDENCIES } from '../../../support/pricing/dependencies.ts';
import { marketCache } from '../../../support/pricing/market-cache.ts';
import {
  MarketParameter,
  ObligationParameter,
} from '../../../support/schemas/address-parameters.ts';
import type { OperationPlugin } from '../../operation-context.ts';
import { Liquidation, liquidationJson } from '../liquidation-json.ts';
import {
  createLiquidationCandidates,
  type LiquidationCandidate,
} from './liquidation-candidates.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;
const MAX_OFFSET = 1_000;

const LiquidatableLoanSchema = Type.Object(
  {
    loanId: ObligationParameter,
    owner: describe(AddressString, 'Address of the owner'),
    currentLtv: describe(DecimalString, 'Debts times their borrow factors, over the deposits'),
    liquidationLtv: describe(DecimalString, 'LTV from which the loan is liquidatable'),
    liquidations: Type.Array(Liquidation, {
      description:
        'The largest one for each pair of a debt and a deposit, the most profitable one first; never empty',
    }),
  },
  { title: 'LiquidatableLoan' },
);

const LiquidatableLoans = Type.Object(
  {
    market: MarketParameter,
    slot: describe(U64String, 'Slot of the state'),
    loans: Type.Array(LiquidatableLoanSchema, { description: 'Largest debt first' }),
    hasMore: Type.Boolean({ description: 'Whether there are more after these' }),
  },
  { title: 'LiquidatableLoans' },
);

export const listLiquidatableLoans: OperationPlugin = (context) => async (app) => {
  const { clusters } = context;
  const candidatesOf = createLiquidationCandidates(marketCache(context));

  app.get(
    '/klend/liquidatable',
    defineOperation(
      {
        operationId: 'listLiquidatableLoans',
        tag: 'lending-users',
        summary: 'Loans of a market that can be liquidated now',
        description:
          'Every loan that the program lets anyone liquidate after a refresh in the present slot, why, and on which terms, by its own rules and rounding: threshold, deleveraging, maturity, term and orders of the owner. Build the transaction with `POST /ktx/klend/liquidate`. 503 with code `POSITIONS_INCOMPLETE` if not all loans are followed.',
        weight: 5,
        statuses: [400, 404, 500],
        dependsOn: LOAN_DEPENDENCIES,
      },
      {
        querystring: Type.Object({
          market: MarketParameter,
          env: Type.Optional(ClusterNameString),
          limit: describe(
            Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT })),
            'Loans per response',
          ),
          offset: describe(
            Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_OFFSET, default: 0 })),
            'Loans to leave out at the start',
          ),
        }),
        response: LiquidatableLoans,
      },
    ),
    async ({ query: { market: text, env, limit = DEFAULT_LIMIT, offset = 0 } }, reply) => {
      const cluster = clusters.requireLoaded(env);
      const address = toAddress(text);
      requireReadable(cluster.reader, address);
      requireAllLoans(cluster);
      const found = await candidatesOf(cluster.reader, address);
      if (found === undefined) throw new CodedError('NOT_FOUND', { what: 'market', address });
      const { market, candidates } = found;
      const page = evaluate(candidates, { reader: cluster.reader, market, count: offset + limit });
      setOmittedHeader(reply, [...unavailableReserves(market), ...page.omitted]);
      const loans = page.loans.slice(offset, offset + limit);
      setStalePricesHeader(
        reply,
        loans.flatMap(({ loan }) => loanPriceAges(loan)),
      );
      return {
        market: address,
        slot: market.at.slot.toString(),
        loans: loans.map(loanJson),
        hasMore: page.loans.length > offset + limit,
      };
    },
  );
};

type Evaluation = {
  readonly reader: ClusterReader;
  readonly market: MarketSnapshot;
  readonly count: number;
};

/** The first loans that are liquidatable, and one more to know whether there are others. */
function evaluate(
  candidates: readonly LiquidationCandidate[],
  { reader, market, count }: Evaluation,
): { readonly loans: readonly LiquidatableLoan[]; readonly omitted: readonly Omission[] } {
  const loans: LiquidatableLoan[] = [];
  const omitted: Omission[] = [];
  for (const { address } of candidates) {
    if (loans.length > count) break;
    const obligation = reader.obligation(address);
    if (obligation?.fields.lendingMarket !== market.address) continue;
    try {
      const loan = viewLiquidatableLoan(obligation, market);
      if (loan !== undefined) loans.push(loan);
    } catch (error) {
      omitted.push({ address, reason: requireUnavailable(error).message });
    }
  }
  return { loans, omitted };
}

const loanJson = ({
  loan,
  liquidations,
}: LiquidatableLoan): Static<typeof LiquidatableLoanSchema> => ({
  loanId: loan.address,
  owner: loan.owner,
  currentLtv: formatLiveRatio(loan.currentLtv),
  liquidationLtv: formatLiveRatio(loan.liquidationLtv),
  liquidations: liquidations.map(liquidationJson),
});
