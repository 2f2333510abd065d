import type { ChainData } from '../chain/chain-data.ts';
import type { Call } from '../instructions/decode-calls.ts';
import {
  isMultiplyRequest,
  type LeverageRequest,
  type RequestedLoan,
} from '../verifiable-request.ts';
import { checkAccounts } from './account-rules.ts';
import { type Amount, U64_MAX } from './amounts.ts';
import type { Findings } from './findings.ts';
import {
  ACTIONS,
  createLendingContext,
  type LendingAction,
  type LendingContext,
} from './lending-context.ts';
import { flashLoanRules } from './lending-rules.ts';
import { type LeverageAmounts, leverageAmounts } from './leverage-amounts.ts';
import { checkLoanToValue } from './loan-to-value.ts';
import { leveragedLoan } from './requested-loan.ts';
import { BUDGET_STEPS, checkSequence, one, optional, type Step } from './sequence.ts';
import { actionSteps, checkLendingCalls } from './verify-lending.ts';
import { checkWalletCalls, wrappedSolAccount } from './wallet-rules.ts';

const CREATE = 'associatedToken createIdempotent';
const FLASH_BORROW = 'klend flashBorrowReserveLiquidity';
export const FLASH_REPAY = 'klend flashRepayReserveLiquidity';

type LeverageInput = {
  readonly request: LeverageRequest;
  readonly chainData: ChainData;
  readonly findings: Findings;
};

/** Calls of a leverage transaction that occur once. */
type Landmarks = {
  readonly flashBorrow: Call;
  readonly first: Call;
  readonly second: Call;
  readonly flashRepay: Call;
};

/**
 * Checks all instructions but the swap: a flash loan pays the first action, a deposit or a repayment; the second, a
 * borrow or a withdrawal, gives the swap its input.
 */
export function verifyLeverage(calls: readonly Call[], input: LeverageInput): void {
  const { request, findings } = input;
  const amounts = leverageAmounts(request, input);
  const actions = actionsOf(request);
  const marks = findLandmarks(calls, actions, findings);
  if (amounts === undefined || marks === undefined) return;
  const loan = leveragedLoan(request, input.chainData);
  if (loan === undefined) {
    const message = 'The loan depends on its tokens: give the chain data of both reserves.';
    findings.add('MISSING_CHAIN_DATA', message);
    return;
  }
  const [first, second] = contextsOf(input, { amounts, actions, marks, loan });
  const between = (from: Call, to: Call) =>
    calls.filter(({ index }) => index > from.index && index <= to.index);
  const parts = {
    first: between(marks.flashBorrow, marks.first),
    second: between(marks.first, marks.second),
  };
  const isSol = first.isSol || second.isSol;
  checkSequence(
    calls,
    [
      ...BUDGET_STEPS,
      one(CREATE),
      ...(first.isSol && amounts.own > 0n ? [one('system transfer'), one('token syncNative')] : []),
      one(CREATE),
      one(FLASH_BORROW),
      ...actionSteps(actions[0], parts.first),
      ...actionSteps(actions[1], parts.second),
      one(FLASH_REPAY),
      ...closeSteps(isSol),
    ],
    findings,
  );
  checkLendingCalls(parts.first, first);
  checkLendingCalls(parts.second, second);
  checkFlashLoan(marks, first, amounts);
  checkLimit(marks, input, amounts);
  checkWalletCalls(calls, {
    ...first,
    openedTokens: new Map([
      [first.mint, first.tokenProgram],
      [second.mint, second.tokenProgram],
    ]),
    closedAccounts: isSol ? [wrappedSolAccount(request.wallet)] : [],
    wrapped: { min: amounts.own, max: amounts.own },
  });
}

/** Wrapped SOL that the wallet had before stays. */
const closeSteps = (isSol: boolean): readonly Step[] =>
  isSol ? [optional('token closeAccount')] : [];

type Actions = readonly [first: LendingAction, second: LendingAction];

const actionsOf = (request: LeverageRequest): Actions =>
  isMultiplyRequest(request) ? ['deposit', 'borrow'] : ['repay', 'withdraw'];

function findLandmarks(
  calls: readonly Call[],
  [first, second]: Actions,
  findings: Findings,
): Landmarks | undefined {
  const find = (key: string) => {
    const found = calls.find((call) => call.key === key);
    if (found === undefined) findings.add('MISSING_INSTRUCTION', `${key} is missing.`);
    return found;
  };
  const marks = {
    flashBorrow: find(FLASH_BORROW),
    first: find(ACTIONS[first].key),
    second: find(ACTIONS[second].key),
    flashRepay: find(FLASH_REPAY),
  };
  const isComplete = Object.values(marks).every((call) => call !== undefined);
  return isComplete ? (marks as Landmarks) : undefined;
}

type ContextInput = {
  readonly amounts: LeverageAmounts;
  readonly actions: Actions;
  readonly marks: Landmarks;
  readonly loan: RequestedLoan;
};

/** The first action changes the loan: whether the second one lists its reserve depends on the amounts. */
function contextsOf(
  { request, chainData, findings }: LeverageInput,
  { amounts, actions, marks, loan }: ContextInput,
): readonly [LendingContext, LendingContext] {
  const { wallet, market, referrer, collateralReserve, debtReserve } = request;
  const create = (part: 0 | 1, reserve: string): LendingContext =>
    createLendingContext({
      request: { wallet, market, reserve, loan, referrer },
      action: actions[part],
      amount: part === 0 ? amounts.first : amounts.second,
      decimals: undefined,
      main: part === 0 ? marks.first : marks.second,
      chainData,
      findings,
    });
  const isMultiply = isMultiplyRequest(request);
  const first = create(0, isMultiply ? collateralReserve : debtReserve);
  const second = create(1, isMultiply ? debtReserve : collateralReserve);
  const ownAccounts = new Set([...first.ownAccounts, ...second.ownAccounts]);
  return [
    { ...first, ownAccounts },
    { ...second, ownAccounts, changedReserves: [first.reserve] },
  ];
}

/** A limit of the request is checked; the amounts of the request are the wallet's choice without one. */
function checkLimit(
  { second }: Landmarks,
  { request, chainData, findings }: LeverageInput,
  amounts: LeverageAmounts,
): void {
  const { collateralReserve, debtReserve, maxLtv } = request;
  if (maxLtv === undefined) return;
  const limit = { maxLtv, chainData, findings };
  if (isMultiplyRequest(request)) {
    const deposited = new Map([[collateralReserve, stated(amounts.first)]]);
    const borrowed = new Map([[debtReserve, stated(amounts.second)]]);
    checkLoanToValue({ deposited, borrowed }, limit);
    return;
  }
  const ctokens = second.args['collateralAmount'] ?? U64_MAX;
  const withdrawn = new Map([[collateralReserve, ctokens === U64_MAX ? 'all' : ctokens] as const]);
  const repaid = new Map([[debtReserve, amounts.first]]);
  checkLoanToValue({ withdrawn, repaid }, limit);
}

/** More leverage has no amount of everything. */
const stated = (amount: Amount): bigint => (amount === 'all' ? U64_MAX : amount);

function checkFlashLoan(
  { flashBorrow, flashRepay }: Landmarks,
  context: LendingContext,
  { flashLoan }: LeverageAmounts,
): void {
  const { findings, program } = context;
  for (const call of [flashBorrow, flashRepay]) {
    checkAccounts(call, flashLoanRules, context);
    if (call.program !== program) {
      findings.add('UNKNOWN_PROGRAM', `${call.spec.name} is of another lending program.`, call);
    }
  }
  const lent = flashBorrow.args['liquidityAmount'] ?? 0n;
  const { liquidityAmount: repaid, borrowInstructionIndex } = flashRepay.args;
  if (lent < flashLoan.min || lent > flashLoan.max) {
    const expected =
      flashLoan.min === flashLoan.max ? `${flashLoan.max}` : `at most ${flashLoan.max}`;
    const message = `The flash loan is ${lent} instead of ${expected} smallest units.`;
    findings.add('WRONG_AMOUNT', message, flashBorrow);
  }
  if (repaid !== lent) {
    const message = `The repayment of the flash loan is ${repaid} instead of ${lent} smallest units.`;
    findings.add('WRONG_AMOUNT', message, flashRepay);
  }
  if (borrowInstructionIndex !== BigInt(flashBorrow.index)) {
    findings.add('INVALID_INSTRUCTION_DATA', 'Another flash loan is repaid.', flashRepay);
  }
}
