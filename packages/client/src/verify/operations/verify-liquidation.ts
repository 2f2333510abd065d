import { TOKEN_PROGRAM } from '../bytes/programs.ts';
import type { Call } from '../instructions/decode-calls.ts';
import { type AccountRules, checkAccounts, exactly } from './account-rules.ts';
import { U64_MAX } from './amounts.ts';
import { refreshReserveRules } from './lending-rules.ts';
import type { LiquidationContext } from './liquidation-context.ts';
import { liquidationFarmRules, liquidationRules } from './liquidation-rules.ts';
import { checkRefreshes, MAX_RESERVES } from './refreshed-reserves.ts';
import { BUDGET_STEPS, checkSequence, one, optional, type Step, several } from './sequence.ts';
import { checkWalletCalls, wrappedSolAccount } from './wallet-rules.ts';

export const LIQUIDATE = 'klend liquidateObligationAndRedeemReserveCollateralV2';

const CREATE = 'associatedToken createIdempotent';
const CLOSE = 'token closeAccount';
const FARM_SETUP = 'klend initObligationFarmsForReserve';

export type LiquidationLimits = {
  /** Smallest units of the seized token; zero if the request has no minimum. */
  readonly minReceived: bigint;
  readonly maxWrapped: bigint | undefined;
};

/** Checks all instructions of a liquidation: the wallet pays a debt of the loan and receives its collateral. */
export function verifyLiquidation(
  calls: readonly Call[],
  context: LiquidationContext,
  { minReceived, maxWrapped }: LiquidationLimits,
): void {
  const { findings, program, repay, withdraw, collateralMint, wallet } = context;
  checkSequence(calls, stepsOf(context), findings);
  for (const call of calls.filter(({ spec }) => spec.program === 'klend')) {
    checkAccounts(call, rulesOf(call.key), context);
    if (call.program !== program) {
      findings.add('UNKNOWN_PROGRAM', `${call.spec.name} is of another lending program.`, call);
    }
  }
  checkArguments(calls, context, minReceived);
  checkRefreshes(calls, {
    ...context,
    actedReserves: [repay.reserve, withdraw.reserve],
    listsDeposits: true,
  });
  const isSol = repay.isSol || withdraw.isSol;
  checkWalletCalls(calls, {
    ...context,
    openedTokens: new Map([
      [withdraw.mint, withdraw.tokenProgram],
      ...(repay.isSol ? [[repay.mint, repay.tokenProgram] as const] : []),
      [collateralMint, TOKEN_PROGRAM],
    ]),
    closedAccounts: isSol ? [wrappedSolAccount(wallet)] : [],
    wrapped: wrappedLamports(calls, context, maxWrapped),
  });
}

function rulesOf(key: string): AccountRules<LiquidationContext> {
  if (key === 'klend refreshReserve') return refreshReserveRules;
  if (key === FARM_SETUP) return liquidationFarmRules;
  return key === LIQUIDATE ? liquidationRules : refreshLoanRules;
}

const refreshLoanRules: AccountRules<LiquidationContext> = {
  lendingMarket: exactly('WRONG_MARKET', ({ market }) => market),
  obligation: exactly('WRONG_LOAN', ({ loan }) => loan),
};

function stepsOf({ repay, withdraw }: LiquidationContext): readonly Step[] {
  const wrap = [one(CREATE), one('system transfer'), one('token syncNative')];
  const isOneAccount = repay.isSol && withdraw.isSol;
  return [
    ...BUDGET_STEPS,
    ...(repay.isSol ? wrap : []),
    ...(isOneAccount ? [] : [one(CREATE)]),
    one(CREATE),
    { keys: [FARM_SETUP], min: 0, max: 2 },
    several(MAX_RESERVES, 'klend refreshReserve'),
    one('klend refreshObligation'),
    one(LIQUIDATE),
    ...(repay.isSol ? [optional(CLOSE)] : []),
    ...(withdraw.isSol && !repay.isSol ? [one(CLOSE)] : []),
  ];
}

function checkArguments(
  calls: readonly Call[],
  { findings, amount, main }: LiquidationContext,
  minReceived: bigint,
): void {
  const { liquidityAmount, minAcceptableReceivedLiquidityAmount, maxAllowedLtvOverridePercent } =
    main.args;
  const expected = amount === 'all' ? U64_MAX : amount;
  if (liquidityAmount !== expected) {
    const message = `The amount is ${liquidityAmount} instead of ${expected} smallest units.`;
    findings.add('WRONG_AMOUNT', message, main);
  }
  if (minAcceptableReceivedLiquidityAmount !== minReceived) {
    const message = `At least ${minAcceptableReceivedLiquidityAmount} smallest units are received instead of ${minReceived}.`;
    findings.add('WRONG_AMOUNT', message, main);
  }
  if (maxAllowedLtvOverridePercent !== 0n) {
    findings.add('INVALID_INSTRUCTION_DATA', 'The allowed LTV is overridden.', main);
  }
  const setups = calls.filter(({ key }) => key === FARM_SETUP);
  if (new Set(setups.map(({ args }) => args['mode'])).size < setups.length) {
    findings.add('REPEATED_INSTRUCTION', 'A farm account is opened twice.', setups.at(-1));
  }
}

/** As much as the program allows is not known: the rest returns with the close, or `maxAmount` limits it. */
function wrappedLamports(
  calls: readonly Call[],
  { amount, findings }: LiquidationContext,
  max: bigint | undefined,
): { readonly min: bigint; readonly max: bigint | undefined } {
  if (amount !== 'all') return { min: amount, max: amount };
  const wraps = calls.some(({ key }) => key === 'system transfer');
  if (wraps && max === undefined && !calls.some(({ key }) => key === CLOSE)) {
    const message = 'The wrapped SOL stays wrapped. State the most that may be wrapped: maxAmount.';
    findings.add('MISSING_CHAIN_DATA', message);
  }
  return { min: 1n, max };
}
