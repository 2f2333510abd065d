import { encodeBase58, formatInstant } from '@tidegate/core/base';
import { type Static, Type } from 'typebox';
import { MAX_RECENT_EVENTS, type RecentEvent } from '../../clusters/recent-events.ts';
import { defineOperation } from '../../http/operation.ts';
import { describe } from '../../http/schemas/describe.ts';
import { IsoInstant, NullableString } from '../../http/schemas/primitives.ts';
import { formatSeriesRatio } from '../../support/decimals/series-decimals.ts';
import { missingHistory } from '../../support/history/history-query.ts';
import type { OperationPlugin } from '../operation-context.ts';

const DEFAULT_LIMIT = 20;

const RecentEventJson = Type.Object(
  {
    product: Type.Unsafe<RecentEvent['product']>({
      type: 'string',
      enum: ['lending', 'vault'],
      description: 'Whether a lending market or an earn vault was used',
    }),
    instruction: Type.String({
      description:
        'Name of the instruction: deposit, withdraw, borrow, repay or liquidate; of vaults deposit, buy, withdraw, sell or withdrawAvailable',
    }),
    timestamp: describe(IsoInstant, 'Block time, UTC'),
    signature: Type.String({ description: 'Signature of the transaction, base58' }),
    wallet: describe(NullableString, 'Address of the wallet; null if unknown'),
    reserve: describe(NullableString, 'Address of the reserve; null for a vault'),
    vault: describe(NullableString, 'Address of the vault; null for lending'),
    tokenMint: describe(NullableString, 'Mint of the token; null if unknown'),
    tokenAmount: describe(
      NullableString,
      'Tokens that moved, in whole tokens; null if the event has no amount',
    ),
  },
  { title: 'RecentEvent' },
);

const RecentEventList = Type.Object(
  {
    recordedSince: describe(
      NullableString,
      'All events from this time on are recorded, UTC; null if none is missing',
    ),
    recordedUntil: describe(IsoInstant, 'All events up to this time are recorded, UTC'),
    events: Type.Array(RecentEventJson, { description: 'Newest first' }),
  },
  { title: 'RecentEventList' },
);

export const listRecentEvents: OperationPlugin =
  ({ clusters }) =>
  async (app) => {
    app.get(
      '/events/recent',
      defineOperation(
        {
          operationId: 'listRecentEvents',
          tag: 'chain',
          summary: 'Recent events of all markets and vaults',
          description:
            'What wallets did last: deposits, withdrawals, loans, repayments and liquidations, newest first. For a feed: poll it with if-none-match. The transaction lists of markets and vaults have older events, prices and all instructions.',
          weight: 1,
          readsEvents: true,
          statuses: [400, 500],
          dependsOn: ['recentEvents'],
        },
        {
          querystring: Type.Object({
            limit: describe(
              Type.Optional(
                Type.Integer({ minimum: 1, maximum: MAX_RECENT_EVENTS, default: DEFAULT_LIMIT }),
              ),
              'Events to return',
            ),
          }),
          response: RecentEventList,
        },
      ),
      async ({ query: { limit = DEFAULT_LIMIT } }) => {
        const cluster = clusters.requireLoaded(undefined);
        const { recording, historyMode } = cluster;
        if (recording === undefined || historyMode === 'events-on-demand') {
          throw missingHistory(cluster);
        }
        const { since, until, events } = await recording.recentEvents.read();
        return {
          recordedSince: since === 0n ? null : formatInstant(since),
          recordedUntil: formatInstant(until),
          events: events.slice(0, limit).map(eventJson),
        };
      },
    );
  };

const eventJson = (event: RecentEvent): Static<typeof RecentEventJson> => ({
  product: event.product,
  instruction: event.instruction,
  timestamp: formatInstant(event.at),
  signature: encodeBase58(event.signature),
  wallet: event.wallet,
  reserve: event.product === 'lending' ? event.account : null,
  vault: event.product === 'vault' ? event.account : null,
  tokenMint: event.mint,
  tokenAmount: event.tokenAmount === undefined ? null : formatSeriesRatio(event.tokenAmount),
});
