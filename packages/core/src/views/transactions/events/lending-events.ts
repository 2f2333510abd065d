import type { Address } from '../../../base/encoding/address.ts';
import type { KlendEvent } from '../../../protocol/klend/events/klend-event.ts';
import type { HistoryEventBody, LendingHistoryEvent, OwnerLookup } from './history-event.ts';

type EventBody = HistoryEventBody<LendingHistoryEvent>;
type EventOf<Kind extends KlendEvent['kind']> = Extract<KlendEvent, { readonly kind: Kind }>;

/** The second event of an instruction. */
const SECOND_EVENT_INDEX = 1;
/** The event of the other party: the liquidator, or the payer of another wallet's debt. */
const THIRD_PARTY_EVENT_INDEX = 2;

/** The history events of a lending event for each affected wallet. */
export function extractLendingEvents(event: KlendEvent, lookup: OwnerLookup): EventBody[] {
  switch (event.kind) {
    case 'repay':
      return repaymentEvents(event, lookup);
    case 'liquidate':
      return liquidationEvents(event, lookup);
    case 'socializeLoss':
      return [
        {
          ...eventOfReserve(event, lookup),
          wallet: lookup.ownerOfObligation(event.obligation),
          debtAmount: event.forgivenAmount,
        },
      ];
    case 'fillBorrowOrder':
      return orderFillEvents(event, lookup);
    case 'enqueueToWithdraw':
    case 'cancelWithdrawTicket':
    case 'recoverInvalidTicketCollateral':
    case 'withdrawQueuedLiquidity': {
      const { owner, withdrawTicket } = event;
      const vault = 'vault' in event ? event.vault : undefined;
      const queued = { ...eventOfReserve(event, lookup), ...amountsOf(event) };
      return [{ ...queued, wallet: owner, withdrawTicket, vault }];
    }
    case 'flashBorrow':
    case 'flashRepay':
      return [{ ...eventOfReserve(event, lookup), ...amountsOf(event), wallet: event.borrower }];
    case 'initObligation':
    case 'requestElevationGroup': {
      const elevationGroup = 'elevationGroup' in event ? event.elevationGroup : undefined;
      return [{ ...emptyEvent(event), wallet: event.owner, elevationGroup }];
    }
    case 'setObligationOrder':
    case 'updateObligationConfig':
    case 'markObligationForDeleveraging':
      return [settingEvent(event, lookup)];
    case 'borrowOrderPlace':
    case 'borrowOrderUpdate':
    case 'borrowOrderCancel': {
      const { owner: wallet, remainingAmount: debtAmount } = event;
      return [{ ...eventOfReserve(event, lookup), wallet, debtAmount }];
    }
    case 'rolloverFixedTermBorrow':
      return [rolloverEvent(event, lookup)];
    case 'redeemFees':
    case 'withdrawProtocolFee':
      return [{ ...eventOfReserve(event, lookup), ...amountsOf(event) }];
    case 'withdrawReferrerFees':
    case 'topupReserveRewards': {
      const wallet = 'referrer' in event ? event.referrer : event.payer;
      return [{ ...eventOfReserve(event, lookup), ...amountsOf(event), wallet }];
    }
    default:
      return [{ ...eventOfReserve(event, lookup), ...amountsOf(event), wallet: event.owner }];
  }
}

/** A setting of a loan, by its owner or by the owner of the market. */
function settingEvent(
  event: EventOf<'setObligationOrder' | 'updateObligationConfig' | 'markObligationForDeleveraging'>,
  lookup: OwnerLookup,
): EventBody {
  const wallet = 'owner' in event ? event.owner : lookup.ownerOfObligation(event.obligation);
  const reserve = 'borrowReserve' in event ? event.borrowReserve : undefined;
  return { ...emptyEvent(event), wallet, reserve };
}

function rolloverEvent(event: EventOf<'rolloverFixedTermBorrow'>, lookup: OwnerLookup): EventBody {
  const { payer, targetReserve: otherReserve } = event;
  const wallet = lookup.ownerOfObligation(event.obligation);
  return { ...eventOfReserve(event, lookup), ...amountsOf(event), wallet, payer, otherReserve };
}

/** A borrow of the loan, and the fill of its order. */
function orderFillEvents(event: EventOf<'fillBorrowOrder'>, lookup: OwnerLookup): EventBody[] {
  const { payer, isFull, filledAmount } = event;
  const wallet = lookup.ownerOfObligation(event.obligation);
  const fill = { ...eventOfReserve({ ...event, kind: 'borrow' }, lookup), wallet, payer };
  return [
    { ...fill, ...amountsOf(event) },
    {
      ...fill,
      kind: isFull ? 'borrowOrderFullFill' : 'borrowOrderPartialFill',
      eventIndex: SECOND_EVENT_INDEX,
      debtAmount: filledAmount,
    },
  ];
}

function repaymentEvents(event: EventOf<'repay'>, lookup: OwnerLookup): EventBody[] {
  const { payer, liquidityAmount } = event;
  const wallet = lookup.ownerOfObligation(event.obligation);
  const payment = { ...eventOfReserve(event, lookup), liquidityAmount, payer };
  const isForOther = wallet !== undefined && wallet !== payer;
  return [
    { ...payment, wallet, debtAmount: liquidityAmount },
    ...(isForOther
      ? [
          {
            ...payment,
            kind: 'repayForOther' as const,
            eventIndex: THIRD_PARTY_EVENT_INDEX,
            wallet: payer,
          },
        ]
      : []),
  ];
}

function liquidationEvents(event: EventOf<'liquidate'>, lookup: OwnerLookup): EventBody[] {
  const { repayReserve, withdrawReserve, repaidAmount } = event;
  const { collateralAmount, redeemedCollateralAmount, liquidityAmount, feeAmount } = event;
  const owner = lookup.ownerOfObligation(event.obligation);
  const repaid = eventOfReserve({ ...event, reserve: repayReserve }, lookup);
  const seized = {
    collateralAmount,
    redeemedAmount: redeemedCollateralAmount,
    liquidityAmount,
    feeAmount,
  };
  return [
    {
      ...repaid,
      kind: 'liquidationRepay',
      wallet: owner,
      liquidityAmount: repaidAmount,
      debtAmount: repaidAmount,
      payer: event.liquidator,
    },
    {
      ...eventOfReserve({ ...event, reserve: withdrawReserve }, lookup),
      ...seized,
      kind: 'liquidationWithdraw',
      eventIndex: SECOND_EVENT_INDEX,
      wallet: owner,
    },
    {
      ...repaid,
      ...seized,
      eventIndex: THIRD_PARTY_EVENT_INDEX,
      wallet: event.liquidator,
      otherReserve: withdrawReserve,
      debtAmount: repaidAmount,
    },
  ];
}

type Amounts = Partial<
  Pick<EventBody, 'liquidityAmount' | 'collateralAmount' | 'debtAmount' | 'feeAmount'>
>;

/** Amounts that the event does not have are undefined. */
function amountsOf(event: Amounts): Amounts {
  const { liquidityAmount, collateralAmount, debtAmount, feeAmount } = event;
  return { liquidityAmount, collateralAmount, debtAmount, feeAmount };
}

type ReserveEvent = MarketEvent & { readonly reserve: Address };

/** Uses the mint of the event if it has one. */
function eventOfReserve(
  event: ReserveEvent & { readonly liquidityMint?: Address },
  lookup: OwnerLookup,
): EventBody {
  const { reserve, liquidityMint } = event;
  return { ...emptyEvent(event), reserve, mint: liquidityMint ?? lookup.mintOfReserve(reserve) };
}

type MarketEvent = {
  readonly kind: LendingHistoryEvent['kind'];
  readonly path: readonly number[];
  readonly lendingMarket: Address;
  readonly obligation?: Address;
};

const emptyEvent = ({ kind, path, lendingMarket, obligation }: MarketEvent): EventBody => ({
  area: 'lending',
  kind,
  path,
  eventIndex: 0,
  wallet: undefined,
  market: lendingMarket,
  obligation,
  reserve: undefined,
  otherReserve: undefined,
  mint: undefined,
  liquidityAmount: undefined,
  collateralAmount: undefined,
  redeemedAmount: undefined,
  debtAmount: undefined,
  feeAmount: undefined,
  payer: undefined,
  elevationGroup: undefined,
  withdrawTicket: undefined,
  vault: undefined,
});
