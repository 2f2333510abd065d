import type { Address } from '@tidegate/core/base';
import type { QueuedWithdrawal } from '@tidegate/core/views/lending';
import type { Static } from 'typebox';
import { formatIsoInstant, formatLiveRatio } from '../../../support/decimals/live-decimals.ts';
import type { QueuedWithdrawalItem } from './schema.ts';

export const queuedWithdrawalJson = (
  ticket: QueuedWithdrawal,
  lendingMarket: Address,
): Static<typeof QueuedWithdrawalItem> => ({
  withdrawTicket: ticket.address,
  owner: ticket.owner,
  lendingMarket,
  reserve: ticket.reserve.address,
  sequenceNumber: String(ticket.sequenceNumber),
  status: ticket.status,
  liquidityToken: ticket.reserve.symbol,
  liquidityTokenMint: ticket.reserve.mint,
  collateralAmount: String(ticket.collateral),
  liquidityAmount: formatLiveRatio(ticket.liquidity),
  liquidityUsdValue: formatLiveRatio(ticket.value),
  liquidityAhead: formatLiveRatio(ticket.liquidityAhead),
  payableAmount: formatLiveRatio(ticket.payable),
  destination: ticket.destination,
  createdOn: formatIsoInstant(ticket.createdAt),
});
