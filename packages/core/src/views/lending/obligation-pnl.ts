import type { Ratio } from '../../base/numbers/decimal.ts';
import {
  addFixedDecimals,
  type FixedDecimal,
  fixedDecimalFromRatio,
  fixedDecimalToRatio,
  subFixedDecimals,
  ZERO_FIXED_DECIMAL,
} from '../../base/numbers/fixed-decimal.ts';
import { divRatioOrZero, mulRatio, ratioOfUnits } from '../../base/numbers/ratio.ts';

/** An amount of one token at the time that it moved. Prices are USD for a whole one; zero where there is none. */
export type PricedAmount = {
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
  | { readonly kind: 'deposit' | 'withdraw' | 'borrow' | 'repay'; readonly leg: PricedAmount }
  | { readonly kind: 'liquidate'; readonly repaid: PricedAmount; readonly seized: PricedAmount }
);

/** Since the obligation was last empty, or since its first event. */
export type PositionMode = 'current_obligation' | 'obligation_all_time';

export type UsdAndSol<Value> = { readonly usd: Value; readonly sol: Value };

export type ObligationPnl = UsdAndSol<Ratio> & {
  /** Paid in less taken out, each at its own time. */
  readonly invested: UsdAndSol<Ratio>;
};

export type LoanPnlInput = {
  readonly mode: PositionMode;
  /** Deposits less debts at the end; in SOL by stake rates if these are to be used. */
  readonly netValue: UsdAndSol<Ratio>;
  readonly useStakeRate: boolean;
};

/** Events ascend and are all that there were. */
export function viewObligationPnl(
  events: readonly LoanEvent[],
  { mode, netValue, useStakeRate }: LoanPnlInput,
): ObligationPnl {
  let usd = ZERO_FIXED_DECIMAL;
  let sol = ZERO_FIXED_DECIMAL;
  for (const event of mode === 'current_obligation' ? sinceEmpty(events) : events) {
    for (const { direction, leg } of flowsOf(event)) {
      const value = valueOfLeg(leg, useStakeRate);
      usd =
        direction === 'in' ? addFixedDecimals(usd, value.usd) : subFixedDecimals(usd, value.usd);
      sol =
        direction === 'in' ? addFixedDecimals(sol, value.sol) : subFixedDecimals(sol, value.sol);
    }
  }
  return {
    usd: fixedDecimalToRatio(subFixedDecimals(fixedDecimalFromRatio(netValue.usd), usd)),
    sol: fixedDecimalToRatio(subFixedDecimals(fixedDecimalFromRatio(netValue.sol), sol)),
    invested: { usd: fixedDecimalToRatio(usd), sol: fixedDecimalToRatio(sol) },
  };
}

const sinceEmpty = (events: readonly LoanEvent[]): readonly LoanEvent[] =>
  events.slice(events.findLastIndex(({ leavesEmpty }) => leavesEmpty) + 1);

type Flow = { readonly direction: 'in' | 'out'; readonly leg: PricedAmount };

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

function valueOfLeg(leg: PricedAmount, useStakeRate: boolean): UsdAndSol<FixedDecimal> {
  const { amount, decimals, price, solPrice, stakeRate } = leg;
  const tokens = ratioOfUnits(amount, decimals);
  const usd = mulRatio(tokens, price);
  const sol =
    useStakeRate && stakeRate !== undefined
      ? mulRatio(tokens, stakeRate)
      : divRatioOrZero(usd, solPrice);
  return { usd: fixedDecimalFromRatio(usd), sol: fixedDecimalFromRatio(sol) };
}
