import type { Ratio } from '../../base/numbers/decimal.ts';
import { U64_MAX } from '../../base/numbers/lamports.ts';
import { compareRatios } from '../../base/numbers/ratio.ts';
import { ONE_SF, sfFromInt } from '../../base/numbers/scaled-fraction.ts';
import type { ObligationView } from '../../protocol/klend/layout/obligation.ts';
import { exchangeRate, redeemedLiquidity } from '../../protocol/klend/math/exchange-rate.ts';
import type { LiquidationReason } from '../../protocol/klend/math/liquidation/liquidation-terms.ts';
import { liquidate } from '../../protocol/klend/operations/liquidate.ts';
import { type Loan, viewLoan } from './loan.ts';
import type { AddressedAccount, MarketSnapshot } from './market-snapshot.ts';
import { type RefreshedLoan, refreshLoan, unlessRejected } from './refreshed-loan.ts';
import { type ReserveSnapshot, toUsd, toWholeTokens } from './reserve-snapshot.ts';
import { computeFigure } from './unavailable-figures.ts';

/** The largest liquidation of a debt for a deposit that the program accepts now. */
export type LoanLiquidation = {
  readonly repayReserve: ReserveSnapshot;
  readonly withdrawReserve: ReserveSnapshot;
  readonly reason: LiquidationReason['kind'];
  /** A part of the repaid value. */
  readonly bonus: Ratio;
  /** Whole tokens of the debt that the liquidator pays. */
  readonly repaid: Ratio;
  readonly repaidValue: Ratio;
  /** Whole tokens of the deposit that the loan loses, including the protocol's fee. */
  readonly seized: Ratio;
  readonly seizedValue: Ratio;
  /** Whole tokens of the deposit that the liquidator receives, after the protocol's fee. */
  readonly received: Ratio;
  /** Whole tokens that the cTokens are worth which the liquidator receives because the reserve cannot redeem them now. */
  readonly receivedAsCollateral: Ratio;
  /** What the liquidator receives is worth more than the repayment, in USD; before the costs of a swap. */
  readonly profitValue: Ratio;
};

/** A loan that the program lets anyone liquidate now. */
export type LiquidatableLoan = {
  readonly loan: Loan;
  /** Never empty. The most profitable one first. */
  readonly liquidations: readonly LoanLiquidation[];
};

/** Undefined for a loan that is safe, or whose prices are too old. */
export function viewLiquidatableLoan(
  obligation: AddressedAccount<ObligationView>,
  market: MarketSnapshot,
): LiquidatableLoan | undefined {
  const liquidations = viewLoanLiquidations(obligation, market);
  if (liquidations.length === 0) return undefined;
  return {
    loan: viewLoan(obligation, market),
    liquidations: liquidations.toSorted((a, b) => compareRatios(b.profitValue, a.profitValue)),
  };
}

/**
 * Liquidations of a loan by the program's own operation, for each debt and deposit that it accepts. Empty for a loan that is
 * safe, or whose prices are too old. Throws the reason if the loan, or a reserve that it uses, cannot be evaluated.
 */
export function viewLoanLiquidations(
  obligation: AddressedAccount<ObligationView>,
  market: MarketSnapshot,
): readonly LoanLiquidation[] {
  const { deposits, borrows } = viewLoan(obligation, market);
  return computeFigure(obligation.address, () => {
    const loan = refreshLoan(obligation.fields, market);
    if (loan === undefined) return [];
    return borrows.flatMap(({ reserve: repayReserve }) =>
      deposits.flatMap(
        ({ reserve: withdrawReserve }) => largest(loan, { repayReserve, withdrawReserve }) ?? [],
      ),
    );
  });
}

type Reserves = Pick<LoanLiquidation, 'repayReserve' | 'withdrawReserve'>;

function largest(
  { position, context }: RefreshedLoan,
  { repayReserve, withdrawReserve }: Reserves,
): LoanLiquidation | undefined {
  const result = unlessRejected(() =>
    liquidate(position, context, {
      repayReserve: repayReserve.address,
      withdrawReserve: withdrawReserve.address,
      amount: U64_MAX,
      minReceived: 0n,
    }),
  );
  const before = position.reserves.get(withdrawReserve.address);
  if (result === undefined || before === undefined) return undefined;
  const repaid = sfFromInt(result.repaid);
  const rate = exchangeRate(before, context.rules);
  const seized = sfFromInt(redeemedLiquidity(rate, result.collateral));
  const received = result.liquidity - result.protocolFee;
  const rest = redeemedLiquidity(rate, result.collateral - result.redeemedCollateral);
  const repaidValue = toUsd(repayReserve, repaid);
  const { numerator, denominator } = toUsd(withdrawReserve, sfFromInt(received + rest));
  return {
    repayReserve,
    withdrawReserve,
    reason: result.reason.kind,
    bonus: { numerator: result.bonus, denominator: ONE_SF },
    repaid: toWholeTokens(repayReserve, repaid),
    repaidValue,
    seized: toWholeTokens(withdrawReserve, seized),
    seizedValue: toUsd(withdrawReserve, seized),
    received: toWholeTokens(withdrawReserve, sfFromInt(received)),
    receivedAsCollateral: toWholeTokens(withdrawReserve, sfFromInt(rest)),
    profitValue: {
      numerator: numerator * repaidValue.denominator - repaidValue.numerator * denominator,
      denominator: denominator * repaidValue.denominator,
    },
  };
}
