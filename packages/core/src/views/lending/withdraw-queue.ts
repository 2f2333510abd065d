import type { Address } from '../../base/encoding/address.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import { sfFromInt } from '../../base/numbers/scaled-fraction.ts';
import type { UnixSeconds } from '../../base/time.ts';
import type { WithdrawTicketView } from '../../protocol/klend/layout/withdraw-ticket.ts';
import {
  redeemableCollateral,
  redeemedLiquidity,
} from '../../protocol/klend/math/exchange-rate.ts';
import type { AddressedAccount } from './market-snapshot.ts';
import { type ReserveSnapshot, toUsd, toWholeTokens } from './reserve-snapshot.ts';

/** `waiting`: in the queue. `unpayable`: its destination is gone, so its cTokens can only be recovered. */
type TicketStatus = 'waiting' | 'cancelled' | 'unpayable';

/** A place in a reserve's withdraw queue. Amounts are whole tokens of the reserve at its present exchange rate. */
export type QueuedWithdrawal = {
  readonly address: Address;
  readonly owner: Address;
  readonly reserve: ReserveSnapshot;
  readonly sequenceNumber: bigint;
  readonly status: TicketStatus;
  /** In base units of the cToken. */
  readonly collateral: bigint;
  readonly liquidity: Ratio;
  readonly value: Ratio;
  /** What must be paid before this ticket. */
  readonly liquidityAhead: Ratio;
  /** The part that the reserve could pay now, if all tickets before it are paid. */
  readonly payable: Ratio;
  readonly destination: Address;
  readonly createdAt: UnixSeconds;
};

/** The queue of a reserve as the account counts it. */
export type QueueCounters = {
  readonly queuedCollateralAmount: bigint;
  readonly nextIssuedTicketSequenceNumber: bigint;
  readonly nextWithdrawableTicketSequenceNumber: bigint;
};

type Ticket = AddressedAccount<WithdrawTicketView>;

/**
 * The tickets of a reserve, first in line first, those that can only be recovered before them. Undefined if the known tickets
 * are not all: together they must have the cTokens that the reserve counts.
 */
export function viewWithdrawQueue(
  reserve: ReserveSnapshot,
  queue: QueueCounters,
  tickets: readonly Ticket[],
): readonly QueuedWithdrawal[] | undefined {
  const sorted = tickets.toSorted((a, b) =>
    compare(a.fields.sequenceNumber, b.fields.sequenceNumber),
  );
  const { totalAvailableAmount } = reserve.liquidity;
  const redeemable = redeemableCollateral(reserve.rate, totalAvailableAmount);
  let ahead = 0n;
  const items = sorted.map((ticket): QueuedWithdrawal => {
    const item = viewTicket(reserve, ticket, { ahead, redeemable });
    if (item.status === 'waiting') ahead += item.collateral;
    return item;
  });
  return ahead === queue.queuedCollateralAmount ? items : undefined;
}

function viewTicket(
  reserve: ReserveSnapshot,
  { address, fields }: Ticket,
  { ahead, redeemable }: { readonly ahead: bigint; readonly redeemable: bigint },
): QueuedWithdrawal {
  const { queuedCollateralAmount: collateral } = fields;
  const worth = (amount: bigint) => sfFromInt(redeemedLiquidity(reserve.rate, amount));
  const rest = redeemable > ahead ? redeemable - ahead : 0n;
  const status = statusOf(fields);
  const paid = rest < collateral ? rest : collateral;
  const payable = status === 'waiting' ? paid : 0n;
  return {
    address,
    owner: fields.owner,
    reserve,
    sequenceNumber: fields.sequenceNumber,
    status,
    collateral,
    liquidity: toWholeTokens(reserve, worth(collateral)),
    value: toUsd(reserve, worth(collateral)),
    liquidityAhead: toWholeTokens(reserve, worth(status === 'waiting' ? ahead : 0n)),
    payable: toWholeTokens(reserve, worth(payable)),
    destination: fields.userDestinationLiquidityTa,
    createdAt: fields.createdAtTimestamp,
  };
}

function statusOf({ invalid, queuedCollateralAmount }: WithdrawTicketView): TicketStatus {
  if (invalid !== 0) return 'unpayable';
  return queuedCollateralAmount === 0n ? 'cancelled' : 'waiting';
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : Number(a > b));
