import { Type } from 'typebox';
import { describe } from '../../../http/schemas/describe.ts';
import { AddressString, DecimalString, IsoInstant } from '../../../http/schemas/primitives.ts';
import {
  MarketParameter,
  ReserveParameter,
  WalletParameter,
} from '../../../support/schemas/address-parameters.ts';

const decimal = (description: string) => describe(DecimalString, description);

export const QueuedWithdrawalItem = Type.Object(
  {
    withdrawTicket: describe(AddressString, 'Account of the place in the queue'),
    owner: WalletParameter,
    lendingMarket: MarketParameter,
    reserve: ReserveParameter,
    sequenceNumber: decimal('Number of the ticket; lower ones are paid first'),
    status: Type.Union(
      [Type.Literal('waiting'), Type.Literal('cancelled'), Type.Literal('unpayable')],
      {
        description:
          'waiting: in the queue; cancelled: without cTokens, until the queue has passed it; unpayable: the destination account is gone, so that the cTokens can only be recovered',
      },
    ),
    liquidityToken: Type.String({ description: 'Symbol of the token' }),
    liquidityTokenMint: describe(AddressString, 'Mint of the token'),
    collateralAmount: decimal('In base units of the cToken'),
    liquidityAmount: decimal('Whole tokens that the cTokens are worth now'),
    liquidityUsdValue: decimal('USD'),
    liquidityAhead: decimal('Whole tokens that are paid before this ticket'),
    payableAmount: decimal(
      'Whole tokens that the reserve could pay now, after all tickets before it',
    ),
    destination: describe(AddressString, 'Token account that receives the payment'),
    createdOn: describe(IsoInstant, 'When the ticket was issued, UTC'),
  },
  { title: 'QueuedWithdrawal' },
);

export const WithdrawQueue = Type.Object(
  {
    reserve: ReserveParameter,
    liquidityToken: Type.String({ description: 'Symbol of the token' }),
    liquidityTokenMint: describe(AddressString, 'Mint of the token'),
    issuesTickets: Type.Boolean({ description: 'Whether the market issues new tickets' }),
    paysTickets: Type.Boolean({ description: 'Whether the market pays tickets' }),
    cancelsTickets: Type.Boolean({ description: 'Whether owners can cancel their tickets' }),
    queuedAmount: decimal('Whole tokens that wait in the queue'),
    availableAmount: decimal('Whole tokens of the reserve that are not lent, queued ones included'),
    minPaymentUsd: decimal('Smallest ticket and smallest partial payment, in whole USD'),
    nextSequenceNumber: decimal('Number of the ticket that is paid next'),
    waitingTickets: Type.Integer({ description: 'Number of tickets that wait' }),
    tickets: Type.Array(QueuedWithdrawalItem, {
      description: 'At most 100: tickets that can only be recovered, then those next in line',
    }),
  },
  { title: 'WithdrawQueue' },
);
