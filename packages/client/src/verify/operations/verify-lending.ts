import { SYSTEM_PROGRAM } from '../bytes/programs.ts';
import type { Call } from '../instructions/decode-calls.ts';
import { type AccountRules, checkAccounts } from './account-rules.ts';
import { U64_MAX } from './amounts.ts';
import { checkCollateralAmount } from './collateral-amount.ts';
import { ACTIONS, type LendingAction, type LendingContext } from './lending-context.ts';
import {
  farmSetupRules,
  isDebtAction,
  lendingRules,
  refreshReserveRules,
} from './lending-rules.ts';
import { checkRefreshes, MAX_RESERVES } from './refreshed-reserves.ts';
import { BUDGET_STEPS, checkSequence, one, optional, type Step, several } from './sequence.ts';
import { checkWalletCalls, wrappedSolAccount } from './wallet-rules.ts';

/** Checks all instructions of a deposit, borrow, repayment or withdrawal. */
export function verifyLending(
  calls: readonly Call[],
  context: LendingContext,
  maxWrapped: bigint | undefined,
): void {
  checkSequence(calls, stepsOf(context, calls), context.findings);
  checkLendingCalls(calls, context);
  checkWalletCalls(calls, {
    ...context,
    openedTokens: new Map([[context.mint, context.tokenProgram]]),
    closedAccounts: context.isSol ? [wrappedSolAccount(context.wallet)] : [],
    wrapped: wrappedLamports(calls, context, maxWrapped),
  });
}

/** Checks the instructions of the lending program, apart from their order. */
export function checkLendingCalls(calls: readonly Call[], context: LendingContext): void {
  const { findings } = context;
  for (const call of calls) {
    if (call.spec.program === 'klend') {
      checkAccounts(call, rulesOf(call.key), context);
      if (call.program !== context.program) {
        findings.add('UNKNOWN_PROGRAM', `${call.spec.name} is of another lending program.`, call);
      }
    }
    checkArguments(call, context);
  }
  checkRefreshes(calls, {
    ...context,
    actedReserves: [context.reserve],
    listsDeposits: isDebtAction(context),
  });
  const farmSetups = calls.filter(({ key }) => key === 'klend initObligationFarmsForReserve');
  if (farmSetups.length > 1) {
    findings.add('REPEATED_INSTRUCTION', 'The farm account is opened twice.', farmSetups.at(-1));
  }
}

function rulesOf(key: string): AccountRules<LendingContext> {
  if (key === 'klend refreshReserve') return refreshReserveRules;
  return key === 'klend initObligationFarmsForReserve' ? farmSetupRules : lendingRules;
}

const CREATE = 'associatedToken createIdempotent';
const CLOSE = 'token closeAccount';
const WRAP: readonly Step[] = [one(CREATE), one('system transfer'), one('token syncNative')];

function stepsOf({ action, isSol }: LendingContext, calls: readonly Call[]): readonly Step[] {
  const pays = action === 'deposit' || action === 'repay';
  const created = action === 'repay' ? [] : [one(CREATE)];
  return [
    ...BUDGET_STEPS,
    ...(isSol && pays ? WRAP : created),
    ...actionSteps(action, calls),
    ...closeSteps(isSol, pays),
  ];
}

/** The action with what prepares it. */
export function actionSteps(action: LendingAction, calls: readonly Call[]): readonly Step[] {
  const hasMetadata = calls.some(({ key }) => key === 'klend initUserMetadata');
  const setup = hasMetadata
    ? [one('klend initUserMetadata'), one('klend initObligation')]
    : [optional('klend initObligation')];
  return [
    ...(action === 'borrow' ? [optional('klend initReferrerTokenState')] : []),
    ...(action === 'deposit' ? setup : []),
    several(MAX_RESERVES + 1, 'klend refreshReserve', 'klend initObligationFarmsForReserve'),
    one('klend refreshObligation'),
    one(ACTIONS[action].key),
  ];
}

/** Received SOL is always unwrapped. What is left of wrapped SOL stays if the wallet had some before. */
const closeSteps = (isSol: boolean, pays: boolean): readonly Step[] =>
  isSol ? [pays ? optional(CLOSE) : one(CLOSE)] : [];

function checkArguments(call: Call, context: LendingContext): void {
  const { findings, action, amount, seeds } = context;
  const { args, keys } = call;
  const invalid = (message: string) => findings.add('INVALID_INSTRUCTION_DATA', message, call);
  switch (call.key) {
    case 'klend initUserMetadata':
      if (keys['userLookupTable'] !== SYSTEM_PROGRAM) invalid('A lookup table is registered.');
      return;
    case 'klend initObligation':
      if (args['tag'] !== tagOf(seeds?.tag) || args['id'] !== tagOf(seeds?.id)) {
        findings.add('WRONG_LOAN', 'A loan of another kind is opened.', call);
      }
      return;
    case 'klend initObligationFarmsForReserve':
      if (args['mode'] !== (isDebtAction(context) ? 1n : 0n)) invalid('The farm mode is wrong.');
      return;
    case ACTIONS.withdraw.key:
      if (action === 'withdraw') checkCollateralAmount(call, context);
      return;
    case ACTIONS[action].key: {
      const expected = amount === 'all' ? U64_MAX : amount;
      const found = args['liquidityAmount'];
      if (found !== expected) {
        const message = `The amount is ${found} instead of ${expected} smallest units.`;
        findings.add('WRONG_AMOUNT', message, call);
      }
    }
  }
}

const tagOf = (value: number | undefined): bigint | undefined =>
  value === undefined ? undefined : BigInt(value);

/** A repayment of everything wraps more than the debt, because the debt grows; the close returns the rest. */
function wrappedLamports(
  calls: readonly Call[],
  { action, amount, findings }: LendingContext,
  max: bigint | undefined,
): { readonly min: bigint; readonly max: bigint | undefined } {
  if (amount !== 'all') return { min: amount, max: action === 'repay' ? (max ?? amount) : amount };
  const isClosed = calls.some(({ key }) => key === CLOSE);
  const wraps = calls.some(({ key }) => key === 'system transfer');
  if (wraps && max === undefined && !isClosed) {
    const message = 'The wrapped SOL stays wrapped. State the most that may be wrapped: maxAmount.';
    findings.add('MISSING_CHAIN_DATA', message);
  }
  return { min: 1n, max };
}
