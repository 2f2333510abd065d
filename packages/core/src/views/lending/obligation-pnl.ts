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

/**
 * A token amount with the prices at the time of its transfer. USD per whole unit; zero if unknown.
 */
export type PricedAmount = {
  /** In lamports. */
  readonly amount: bigint;
  readonly decimals: bigint;
  readonly price: Ratio;
  readonly solPrice: Ratio;
  /** SOL per whole token of a stake pool; undefined for other tokens. */
  readonly stakeRate: Ratio | undefined;
};

/**
 * An event of a loan. The amount of a borrow excludes the fee: the fee is a debt without proceeds,
 * so it counts as a loss. In a liquidation the owner neither pays nor receives anything: the seized
 * collateral minus the repaid debt is a loss.
 */
export type LoanEvent = {
  /** Whether the obligation has neither deposits nor debts afterwards. */
  readonly leavesEmpty: boolean;
} & (
  | { readonly kind: 'deposit' | 'withdraw' | 'borrow' | 'repay'; readonly moved: PricedAmount }
  | { readonly kind: 'liquidate' }
);

/** Since the obligation was last empty, or since its first event. */
export type PositionMode = 'current_obligation' | 'obligation_all_time';

export type UsdAndSol<Value> = { readonly usd: Value; readonly sol: Value };

export type ObligationPnl = UsdAndSol<Ratio> & {
  /** Inflows minus outflows, each at the prices of its time. */
  readonly invested: UsdAndSol<Ratio>;
};

export type LoanPnlInput = {
  readonly mode: PositionMode;
  /** Deposits minus debts at the end; in SOL by stake rates if `useStakeRate`. */
  readonly netValue: UsdAndSol<Ratio>;
  readonly useStakeRate: boolean;
};

/** `events` must be complete and ascending. */
export function viewObligationPnl(
  events: readonly LoanEvent[],
  { mode, netValue, useStakeRate }: LoanPnlInput,
): ObligationPnl {
  let usd = ZERO_FIXED_DECIMAL;
  let sol = ZERO_FIXED_DECIMAL;
  for (const event of mode === 'current_obligation' ? sinceEmpty(events) : events) {
    if (event.kind === 'liquidate') continue;
    const value = valueInUsdAndSol(event.moved, useStakeRate);
    const add = isInflow(event.kind) ? addFixedDecimals : subFixedDecimals;
    usd = add(usd, value.usd);
    sol = add(sol, value.sol);
  }
  return {
    usd: fixedDecimalToRatio(subFixedDecimals(fixedDecimalFromRatio(netValue.usd), usd)),
    sol: fixedDecimalToRatio(subFixedDecimals(fixedDecimalFromRatio(netValue.sol), sol)),
    invested: { usd: fixedDecimalToRatio(usd), sol: fixedDecimalToRatio(sol) },
  };
}

/** The events after the obligation was last empty. */
export const sinceEmpty = <Event extends Pick<LoanEvent, 'leavesEmpty'>>(
  events: readonly Event[],
): readonly Event[] => events.slice(events.findLastIndex(({ leavesEmpty }) => leavesEmpty) + 1);

const isInflow = (kind: LoanEvent['kind']): boolean => kind === 'deposit' || kind === 'repay';

function valueInUsdAndSol(priced: PricedAmount, useStakeRate: boolean): UsdAndSol<FixedDecimal> {
  const { amount, decimals, price, solPrice, stakeRate } = priced;
  const tokens = ratioOfUnits(amount, decimals);
  const usd = mulRatio(tokens, price);
  const sol =
    useStakeRate && stakeRate !== undefined
      ? mulRatio(tokens, stakeRate)
      : divRatioOrZero(usd, solPrice);
  return { usd: fixedDecimalFromRatio(usd), sol: fixedDecimalFromRatio(sol) };
}
