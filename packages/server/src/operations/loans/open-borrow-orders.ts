import { type Address, toAddress } from '@tidegate/core/base';
import { openBorrowOrders } from '@tidegate/core/views/lending';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { defineOperation } from '../../http/operation.ts';
import { describe } from '../../http/schemas/describe.ts';
import { AddressString, ClusterNameString, DecimalString } from '../../http/schemas/primitives.ts';
import { requireAllLoans } from '../../support/loans/require-all-loans.ts';
import {
  requireReadable,
  setOmittedHeader,
  unreadableAccounts,
} from '../../support/pricing/data-notes.ts';
import {
  MarketParameter,
  ObligationParameter,
  ReserveParameter,
} from '../../support/schemas/address-parameters.ts';
import { ProgramIdString, parseProgramId } from '../../support/schemas/program-id.ts';
import type { OperationPlugin } from '../operation-context.ts';

const decimal = (description: string) => describe(DecimalString, description);

const OrderCollateral = Type.Object(
  {
    depositReserve: ReserveParameter,
    depositedAmount: decimal('In base units of the cToken'),
  },
  { title: 'OrderCollateral' },
);

const OpenBorrowOrder = Type.Object(
  {
    obligationPubkey: ObligationParameter,
    owner: describe(AddressString, 'Address of the owner'),
    deposits: Type.Array(OrderCollateral, { description: 'Deposits of the loan' }),
    debtLiquidityMint: Type.Unsafe<string>({
      ...AddressString,
      description: 'Token that the order borrows',
    }),
    remainingDebtAmount: decimal('Not borrowed yet, in base units of the token'),
    requestedDebtAmount: decimal('Requested in total, in base units of the token'),
    filledDebtDestination: Type.Unsafe<string>({
      ...AddressString,
      description: 'Token account that receives the borrowed tokens',
    }),
    maxBorrowRateBps: Type.Number({ description: 'Highest accepted borrow rate, in basis points' }),
    minDebtTermSeconds: decimal('Shortest accepted term of the debt; 0: only debts without a term'),
    fillableUntilTimestamp: decimal('Unix seconds'),
    placedAtTimestamp: decimal('Unix seconds'),
    lastUpdatedAtTimestamp: decimal('Unix seconds'),
  },
  { title: 'OpenBorrowOrder' },
);

const OpenBorrowOrders = Type.Object(
  { obligations: Type.Array(OpenBorrowOrder, { description: 'One entry per open order' }) },
  { title: 'OpenBorrowOrders' },
);

export const listOpenBorrowOrders: OperationPlugin =
  ({ clusters }) =>
  async (app) => {
    app.get(
      '/v2/svc-market/:pubkey/obligations-with-open-borrow-orders',
      defineOperation(
        {
          operationId: 'listOpenBorrowOrders',
          tag: 'lending',
          summary: 'Open borrow orders of a market',
          description:
            'One entry for each order that can still be filled, by loan and by order. Amounts are in base units, as in the account.',
          weight: 5,
          statuses: [400, 500],
          dependsOn: ['slot', 'market', 'obligation'],
        },
        {
          params: Type.Object({ pubkey: MarketParameter }),
          querystring: Type.Object({
            env: Type.Optional(ClusterNameString),
            programId: Type.Optional(ProgramIdString),
          }),
          response: OpenBorrowOrders,
        },
      ),
      async ({ params, query: { env, programId } }, reply) => {
        const cluster = clusters.requireLoaded(env);
        const { reader } = cluster;
        const market = toAddress(params.pubkey);
        requireReadable(reader, market);
        if (reader.market(market)?.program !== parseProgramId(programId))
          return { obligations: [] };
        requireAllLoans(cluster);
        setOmittedHeader(reply, unreadableAccounts(reader, 'obligation', market));
        return { obligations: listOrders(cluster, market) };
      },
    );
  };

type Order = Static<typeof OpenBorrowOrder>;

function listOrders({ reader }: Cluster, market: Address): Order[] {
  const { unix } = reader.at();
  const orders: Order[] = [];
  for (const { address, fields } of reader.obligationsIn(market)) {
    for (const order of openBorrowOrders(fields, unix)) {
      orders.push({
        obligationPubkey: address,
        owner: fields.owner,
        deposits: [...fields.deposits]
          .filter(({ depositedAmount }) => depositedAmount > 0n)
          .map(({ depositReserve, depositedAmount }) => ({
            depositReserve,
            depositedAmount: String(depositedAmount),
          })),
        debtLiquidityMint: order.debtLiquidityMint,
        remainingDebtAmount: String(order.remainingDebtAmount),
        requestedDebtAmount: String(order.requestedDebtAmount),
        filledDebtDestination: order.filledDebtDestination,
        maxBorrowRateBps: order.maxBorrowRateBps,
        minDebtTermSeconds: String(order.minDebtTermSeconds),
        fillableUntilTimestamp: String(order.fillableUntilTimestamp),
        placedAtTimestamp: String(order.placedAtTimestamp),
        lastUpdatedAtTimestamp: String(order.lastUpdatedAtTimestamp),
      });
    }
  }
  return orders;
}
