import type { Address } from '@tidegate/core/base';
import {
  type MarketSnapshot,
  type QueuedWithdrawal,
  viewWithdrawQueue,
} from '@tidegate/core/views/lending';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { CodedError } from '../../../errors.ts';

const RETRY_SECONDS = 10;

/** All tickets of a reserve. Throws WITHDRAW_QUEUE_INCOMPLETE if some are not known. */
export function readWithdrawQueue(
  { reader }: Cluster,
  market: MarketSnapshot,
  address: Address,
): readonly QueuedWithdrawal[] {
  const reserve = market.reserves.get(address);
  const account = reader.reserve(address);
  if (reserve === undefined || account === undefined) return [];
  const { withdrawQueue } = account.fields;
  const tickets = viewWithdrawQueue(reserve, withdrawQueue, reader.withdrawTicketsIn(address));
  if (tickets !== undefined) return tickets;
  throw new CodedError('WITHDRAW_QUEUE_INCOMPLETE', {
    reserve: address,
    retryAfterSeconds: RETRY_SECONDS,
  });
}
