import type { Ratio } from '../../base/numbers/decimal.ts';
import {
  addScaled,
  ratioOfScaled,
  type Scaled,
  scaledOf,
  subScaled,
  ZERO_SCALED,
} from '../../base/numbers/fixed-decimal.ts';
import { divRatioOrZero, mulRatio, ratioOfUnits } from '../../base/numbers/ratio.ts';

/** An amount of one token at the time that it moved. Prices are USD for a whole one; zero where there is none. */
export type LoanLeg = {
  /** In lamports. */
  readonly amount: bigint;
  readonly decimals: bigint;
  readonly price: Ratio;
  readonly solPrice: Ratio;
  /** SOL for a whole token of a stake pool; undefined for any other token. */
  readonly stakeRate: Ratio | undefined;
};

/**
 * What happened to a loan. Of a borrow the amount is what the owner received: the fee is a debt that nothing was
 * received for, and so a loss. Of a liquidation the seized amount is all that the collateral was worth, bonus and
 * protocol's fee included.
 */
export type LoanEvent = {
  /** Whether it left the obligation without deposit and debt. */
  readonly leavesEmpty: boolean;
} & (
  | { readonly kind: 'deposit' | 'withdraw' | 'borrow' | 'repay'; readonly leg: LoanLeg }
  | { readonly kind: 'liquidate'; readonly repaid: LoanLeg; readonly seized: LoanLeg }
);

/** Since the obligation was last empty, or since its first event. */
export type PositionMode = 'current_obligation' | 'obligation_all_time';

export type InUsdAndSol<Value> = { readonly usd: Value; readonly sol: Value };

export type ObligationPnl = InUsdAndSol<Ratio> & {
  /** Paid in less taken out, each at its own time. */
  readonly invested: InUsdAndSol<Ratio>;
};

export type LoanPnlTerms = {
  readonly mode: PositionMode;
  /** Deposits less debts at the end; in SOL by stake rates if these are to be used. */
  readonly netValue: InUsdAndSol<Ratio>;
  readonly useStakeRate: boolean;
};

/** Events ascend and are all that there were. */
export function viewObligationPnl(
  events: readonly LoanEvent[],
  { mode, netValue, useStakeRate }: LoanPnlTerms,
): ObligationPnl {
  let usd = ZERO_SCALED;
  let sol = ZERO_SCALED;
  for (const event of mode === 'current_obligation' ? sinceEmpty(events) : events) {
    for (const { direction, leg } of flowsOf(event)) {
      const value = valueOfLeg(leg, useStakeRate);
      usd = direction === 'in' ? addScaled(usd, value.usd) : subScaled(usd, value.usd);
      sol = direction === 'in' ? addScaled(sol, value.sol) : subScaled(sol, value.sol);
    }
  }
  return {
    usd: ratioOfScaled(subScaled(scaledOf(netValue.usd), usd)),
    sol: ratioOfScaled(subScaled(scaledOf(netValue.sol), sol)),
    invested: { usd: ratioOfScaled(usd), sol: ratioOfScaled(sol) },
  };
}

const sinceEmpty = (events: readonly LoanEvent[]): readonly LoanEvent[] =>
  events.slice(events.findLastIndex(({ leavesEmpty }) => leavesEmpty) + 1);

type Flow = { readonly direction: 'in' | 'out'; readonly leg: LoanLeg };

function flowsOf(event: LoanEvent): readonly Flow[] {
  switch (event.kind) {
    case 'deposit':
    case 'repay':
      return [{ direction: 'in', leg: event.leg }];
    case 'withdraw':
    case 'borrow':
      return [{ direction: 'out', leg: event.leg }];
    case 'liquidate':
      return [
        { direction: 'in', leg: event.repaid },
        { direction: 'out', leg: event.seized },
      ];
  }
}

function valueOfLeg(leg: LoanLeg, useStakeRate: boolean): InUsdAndSol<Scaled> {
  const { amount, decimals, price, solPrice, stakeRate } = leg;
  const tokens = ratioOfUnits(amount, decimals);
  const usd = mulRatio(tokens, price);
  const sol =
    useStakeRate && stakeRate !== undefined
      ? mulRatio(tokens, stakeRate)
      : divRatioOrZero(usd, solPrice);
  return { usd: scaledOf(usd), sol: scaledOf(sol) };
}
