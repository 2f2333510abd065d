import type { Address } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import type { Instruction } from '../../base/solana/instruction.ts';
import type { ClusterReader } from '../../state/cluster-reader.ts';
import type { AmountOrAll, ComputeBudget } from '../build.ts';
import { type RequestedObligation, requireMarketReserve } from '../lending/lending-request.ts';
import { parseAmount, parseAmountOrMax } from '../parse-amount.ts';
import { requirePriceableReserve } from '../require-readable.ts';

/** A swap that the caller gives: instructions of other programs, and the lookup tables that they use. */
export type SwapInstructions = {
  readonly instructions: readonly Instruction[];
  readonly lookupTables: readonly Address[];
};

type LeverageReserves = {
  readonly wallet: Address;
  readonly market: Address;
  readonly collateralReserve: Address;
  readonly debtReserve: Address;
};

type LeverageTerms = LeverageReserves & {
  /** The wallet's loan in the market. Default: the vanilla obligation with id 0. */
  readonly obligation?: RequestedObligation | undefined;
  readonly swap: SwapInstructions;
};

/** Deposits own and flash-borrowed collateral, borrows, and swaps the debt to repay the flash loan. */
export type MultiplyRequest = ComputeBudget &
  LeverageTerms & {
    /** Own collateral to deposit; 0 for none. */
    readonly deposit: bigint;
    /** Collateral of the flash loan, which is deposited as well. */
    readonly flashLoan: bigint;
    /** Debt to borrow: the input of the swap. */
    readonly borrow: bigint;
  };

/** Repays with a flash loan, withdraws collateral, and swaps it to repay the flash loan. */
export type DeleverageRequest = ComputeBudget &
  LeverageTerms & {
    readonly repay: AmountOrAll;
    /** Collateral to withdraw: the input of the swap. */
    readonly withdraw: AmountOrAll;
  };

type CallerTerms = LeverageReserves & Pick<LeverageTerms, 'swap'> & LoanFields;

/** An existing loan, or the kind of a new one. */
type LoanFields = {
  readonly loan?: Address | undefined;
  readonly loanKind?: 'vanilla' | 'multiply' | 'leverage' | undefined;
};

/** Amounts in whole tokens. */
export type MultiplyFields = CallerTerms & {
  readonly depositAmount?: string | undefined;
  readonly flashLoanAmount: string;
  readonly borrowAmount: string;
};

export type DeleverageFields = CallerTerms & {
  readonly repayAmount: string;
  readonly withdrawAmount: string;
};

export function parseMultiplyRequest(
  { depositAmount, flashLoanAmount, borrowAmount, ...fields }: MultiplyFields,
  state: ClusterReader,
): MultiplyRequest {
  const { collateral, debt } = readDecimals(fields, state);
  return {
    ...termsOf(fields, state),
    deposit: depositAmount === undefined ? 0n : parseAmount(depositAmount, collateral),
    flashLoan: parseAmount(flashLoanAmount, collateral),
    borrow: parseAmount(borrowAmount, debt),
  };
}

export function parseDeleverageRequest(
  { repayAmount, withdrawAmount, ...fields }: DeleverageFields,
  state: ClusterReader,
): DeleverageRequest {
  const { collateral, debt } = readDecimals(fields, state);
  return {
    ...termsOf(fields, state),
    repay: parseAmountOrMax(repayAmount, debt),
    withdraw: parseAmountOrMax(withdrawAmount, collateral),
  };
}

function readDecimals(
  { market, collateralReserve, debtReserve }: LeverageReserves,
  state: ClusterReader,
): { readonly collateral: number; readonly debt: number } {
  const decimalsOf = (address: Address): number => {
    const reserve = requireMarketReserve(state, market, address);
    return Number(requirePriceableReserve(state, reserve).fields.liquidity.mintDecimals);
  };
  return { collateral: decimalsOf(collateralReserve), debt: decimalsOf(debtReserve) };
}

function termsOf(fields: CallerTerms, state: ClusterReader): LeverageTerms {
  const { loan, loanKind = 'vanilla', ...terms } = fields;
  if (terms.collateralReserve === terms.debtReserve) {
    const reason = 'The collateral and the debt must be in different reserves.';
    throw new CodedError('NOTHING_TO_BUILD', { reason });
  }
  if (loan !== undefined) return { ...terms, obligation: { address: loan } };
  if (loanKind === 'vanilla') return terms;
  const mintOf = (reserve: Address) =>
    requireMarketReserve(state, terms.market, reserve).fields.liquidity.mintPubkey;
  const collateralMint = mintOf(terms.collateralReserve);
  const debtMint = mintOf(terms.debtReserve);
  return { ...terms, obligation: { kind: loanKind, collateralMint, debtMint } };
}
