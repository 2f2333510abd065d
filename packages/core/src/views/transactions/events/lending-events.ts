import type { Address } from '../../../base/encoding/address.ts';
import type { KlendEvent } from '../../../protocol/klend/events/klend-event.ts';
import type { HistoryEventBody, LendingHistoryEvent, OwnerLookup } from './history-event.ts';

type Past = HistoryEventBody<LendingHistoryEvent>;
type Of<Kind extends KlendEvent['kind']> = Extract<KlendEvent, { readonly kind: Kind }>;

/** What an instruction took from a loan after it gave to it. */
const SECOND_LEG = 1;
/** Of the one on the other side: who liquidates, or who pays for somebody else. */
const OTHER_SIDE_LEG = 2;

/** What an event of the lending program is to the wallets that have to do with it. */
export function extractLendingEvents(event: KlendEvent, facts: OwnerLookup): Past[] {
  switch (event.kind) {
    case 'repay':
      return repayment(event, facts);
    case 'liquidate':
      return liquidation(event, facts);
    case 'socializeLoss':
      return [
        {
          ...ofReserve(event, facts),
          wallet: facts.ownerOfObligation(event.obligation),
          debtAmount: event.maxLiquidityAmount,
        },
      ];
    case 'flashBorrow':
    case 'flashRepay':
      return [{ ...ofReserve(event, facts), ...amountsOf(event), wallet: event.borrower }];
    case 'initObligation':
    case 'requestElevationGroup': {
      const elevationGroup = 'elevationGroup' in event ? event.elevationGroup : undefined;
      return [{ ...blank(event), wallet: event.owner, elevationGroup }];
    }
    default:
      return [{ ...ofReserve(event, facts), ...amountsOf(event), wallet: event.owner }];
  }
}

function repayment(event: Of<'repay'>, facts: OwnerLookup): Past[] {
  const { payer, liquidityAmount } = event;
  const wallet = facts.ownerOfObligation(event.obligation);
  const paid = { ...ofReserve(event, facts), liquidityAmount, payer };
  const isForOther = wallet !== undefined && wallet !== payer;
  return [
    { ...paid, wallet, debtAmount: liquidityAmount },
    ...(isForOther
      ? [{ ...paid, kind: 'repayForOther' as const, leg: OTHER_SIDE_LEG, wallet: payer }]
      : []),
  ];
}

function liquidation(event: Of<'liquidate'>, facts: OwnerLookup): Past[] {
  const { repayReserve, withdrawReserve, repaidAmount } = event;
  const { collateralAmount, redeemedCollateralAmount, liquidityAmount, feeAmount } = event;
  const owner = facts.ownerOfObligation(event.obligation);
  const repaid = ofReserve({ ...event, reserve: repayReserve }, facts);
  const taken = {
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
      ...ofReserve({ ...event, reserve: withdrawReserve }, facts),
      ...taken,
      kind: 'liquidationWithdraw',
      leg: SECOND_LEG,
      wallet: owner,
    },
    {
      ...repaid,
      ...taken,
      leg: OTHER_SIDE_LEG,
      wallet: event.liquidator,
      otherReserve: withdrawReserve,
      debtAmount: repaidAmount,
    },
  ];
}

type Amounts = Partial<
  Pick<Past, 'liquidityAmount' | 'collateralAmount' | 'debtAmount' | 'feeAmount'>
>;

/** An amount that the event does not have stays undefined. */
function amountsOf(event: Amounts): Amounts {
  const { liquidityAmount, collateralAmount, debtAmount, feeAmount } = event;
  return { liquidityAmount, collateralAmount, debtAmount, feeAmount };
}

type OfReserve = Named & { readonly reserve: Address };

/** An event names the mint where it has an amount of the token. */
function ofReserve(
  event: OfReserve & { readonly liquidityMint?: Address },
  facts: OwnerLookup,
): Past {
  const { reserve, liquidityMint } = event;
  return { ...blank(event), reserve, mint: liquidityMint ?? facts.mintOfReserve(reserve) };
}

type Named = {
  readonly kind: LendingHistoryEvent['kind'];
  readonly path: readonly number[];
  readonly lendingMarket: Address;
  readonly obligation?: Address;
};

const blank = ({ kind, path, lendingMarket, obligation }: Named): Past => ({
  area: 'lending',
  kind,
  path,
  leg: 0,
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
});
