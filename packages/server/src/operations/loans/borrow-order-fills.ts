import { type Address, encodeBase58, formatInstant, toAddress } from '@tidegate/core/base';
import { type Static, Type } from 'typebox';
import { CodedError } from '../../errors.ts';
import { lendingEventKinds } from '../../history/event-kinds.ts';
import { defineOperation } from '../../http/operation.ts';
import { describe } from '../../http/schemas/describe.ts';
import { AddressString, DecimalString } from '../../http/schemas/primitives.ts';
import { type LendingEventRow, readAllLendingEvents } from '../../support/events/lending-events.ts';
import {
  requireLoanTransactions,
  requireRecordedFills,
} from '../../support/history/complete-history.ts';
import { setPositionGapsHeader } from '../../support/history/history-gaps.ts';
import { requireHistory } from '../../support/history/history-query.ts';
import { ObligationParameter } from '../../support/schemas/address-parameters.ts';
import type { OperationPlugin } from '../operation-context.ts';

const BorrowOrderFill = Type.Object(
  {
    eventType: Type.Unsafe<'partial_fill' | 'full_fill'>({
      type: 'string',
      enum: ['partial_fill', 'full_fill'],
      description: 'full_fill: nothing of the order is left',
    }),
    eventTimestamp: describe(
      Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' }),
      'Block time, UTC',
    ),
    transactionSignature: Type.String({ description: 'Signature of the transaction, base58' }),
    debtLiquidityMint: describe(AddressString, 'Mint of the borrowed token'),
    filledAmount: describe(DecimalString, 'Filled part of the order, in base units of the token'),
  },
  { title: 'BorrowOrderFill' },
);

const BorrowOrderFills = Type.Object(
  { fills: describe(Type.Array(BorrowOrderFill), 'Oldest first') },
  { title: 'BorrowOrderFills' },
);

const RETRY_SECONDS = 600;

export const listBorrowOrderFills: OperationPlugin =
  ({ clusters }) =>
  async (app) => {
    app.get(
      '/v2/svc-market/obligations/:pubkey/borrow-order-fills',
      defineOperation(
        {
          operationId: 'listBorrowOrderFills',
          tag: 'lending-users',
          summary: 'Fills of the borrow orders of a loan',
          description: 'Oldest first. Amounts are in base units, as in the order.',
          weight: 3,
          readsEvents: true,
          statuses: [400, 500],
        },
        { params: Type.Object({ pubkey: ObligationParameter }), response: BorrowOrderFills },
      ),
      async ({ params }, reply) => {
        const cluster = clusters.requireLoaded(undefined);
        const obligation = toAddress(params.pubkey);
        await cluster.loadObligation(obligation);
        await requireLoanTransactions(cluster, obligation);
        const position = { kind: 'loan', address: obligation } as const;
        await setPositionGapsHeader(reply, cluster, { position });
        const query = { subject: 'obligation', address: obligation } as const;
        const rows = await readAllLendingEvents(requireHistory(cluster), query);
        await requireRecordedFills(requireHistory(cluster), obligation, rows[0]?.at);
        return { fills: rows.flatMap((row) => fillJson(row) ?? []) };
      },
    );
  };

function incompleteFills(obligation: Address | null, reason: string): CodedError {
  const what = `the loan ${obligation}`;
  return new CodedError('HISTORY_INCOMPLETE', { what, reason, retryAfterSeconds: RETRY_SECONDS });
}

/** Undefined for another event. */
function fillJson(row: LendingEventRow): Static<typeof BorrowOrderFill> | undefined {
  const kind = lendingEventKinds[row.kind];
  const isFill = kind === 'borrowOrderPartialFill' || kind === 'borrowOrderFullFill';
  if (!isFill) return undefined;
  if (row.mint === null || row.debtAmount === null) {
    throw incompleteFills(row.obligation, 'the program emitted no amount of a fill');
  }
  return {
    eventType: kind === 'borrowOrderFullFill' ? 'full_fill' : 'partial_fill',
    eventTimestamp: formatInstant(row.at),
    transactionSignature: encodeBase58(row.signature),
    debtLiquidityMint: row.mint,
    filledAmount: String(row.debtAmount),
  };
}
