import { TOKEN_PROGRAM } from '../bytes/programs.ts';
import type { Call } from '../instructions/decode-calls.ts';
import { checkAccounts } from './account-rules.ts';
import { U64_MAX } from './amounts.ts';
import { checkMinimumShares } from './deposited-shares.ts';
import { stakeRules } from './farm-rules.ts';
import {
  checkRedeemedShares,
  checkUnstakedShares,
  type RedemptionTerms,
  TAKE_BACK,
  UNSTAKE,
} from './redeemed-shares.ts';
import { checkPayable } from './redemptions.ts';
import { BUDGET_STEPS, checkSequence, one, optional, type Step, several } from './sequence.ts';
import type { VaultContext } from './vault-context.ts';
import { checkListedAccounts, vaultRules } from './vault-rules.ts';
import { checkWalletCalls, wrappedSolAccount } from './wallet-rules.ts';

/** The second one fails rather than issue fewer shares. Older releases of the vault program have only the first. */
export const VAULT_DEPOSITS: readonly string[] = [
  'kvault deposit',
  'kvault depositWithMinSharesOut',
];
const CREATE = 'associatedToken createIdempotent';
const CLOSE = 'token closeAccount';
const STAKE = 'farms stake';
/** A vault lends to at most 25 reserves. */
const MAX_REDEMPTIONS = 26;

type VaultDepositTerms = {
  /** Whether the shares must be staked; undefined if both are fine. */
  readonly stake: boolean | undefined;
  readonly mayBePartial: boolean;
};

export function verifyVaultDeposit(
  calls: readonly Call[],
  context: VaultContext,
  { stake, mayBePartial }: VaultDepositTerms,
): void {
  const { findings, isSol, mint, tokenProgram, sharesMint, amount } = context;
  const stakes = calls.some(({ key }) => key === STAKE);
  const wrap = [one(CREATE), one('system transfer'), one('token syncNative')];
  const staking = [optional('farms initializeUser'), one(STAKE)];
  checkSequence(
    calls,
    [
      ...BUDGET_STEPS,
      ...(isSol ? wrap : []),
      one(CREATE),
      one(...VAULT_DEPOSITS),
      ...(stake === true || (stakes && stake === undefined) ? staking : []),
    ],
    findings,
  );
  checkVaultCalls(calls, context);
  const requested = amount === 'all' ? U64_MAX : amount;
  for (const call of calls) {
    if (VAULT_DEPOSITS.includes(call.key)) {
      expectAmount(call, ['maxAmount', requested], context);
      checkMinimumShares(call, { amount: requested, mayBePartial }, context);
    }
    if (call.key === STAKE) expectAmount(call, ['amount', U64_MAX], context);
  }
  checkWalletCalls(calls, {
    ...context,
    openedTokens: new Map([
      [sharesMint, TOKEN_PROGRAM],
      ...(isSol ? [[mint, tokenProgram] as const] : []),
    ]),
    closedAccounts: [],
    wrapped: { min: requested, max: requested },
  });
}

export function verifyVaultWithdraw(
  calls: readonly Call[],
  context: VaultContext,
  terms: RedemptionTerms,
): void {
  const { findings, isSol, amount, mint, tokenProgram, sharesMint, sharesAccount, wallet } =
    context;
  const usesFarm = calls.some(({ spec }) => spec.program === 'farms');
  checkSequence(calls, withdrawSteps(calls, context), findings);
  checkVaultCalls(calls, context);
  const isUnwrapped = calls.some(
    ({ key, accounts }) => key === CLOSE && accounts['account'] === wrappedSolAccount(wallet),
  );
  if (isSol && !isUnwrapped) findings.add('MISSING_INSTRUCTION', 'The SOL is not unwrapped.');
  checkRedeemedShares(calls, context, terms);
  if (!terms.mayBePartial) checkPayable(calls, context);
  checkUnstakedShares(calls, context, terms);
  checkWalletCalls(calls, {
    ...context,
    openedTokens: new Map([
      [mint, tokenProgram],
      ...(usesFarm ? [[sharesMint, TOKEN_PROGRAM] as const] : []),
    ]),
    closedAccounts: [
      ...(isSol ? [wrappedSolAccount(wallet)] : []),
      ...(amount === 'all' ? [sharesAccount] : []),
    ],
    wrapped: { min: 0n, max: 0n },
  });
}

/** Shares are taken out of the farm, then redeemed. The share account is closed only if everything is withdrawn. */
function withdrawSteps(calls: readonly Call[], { isSol, amount }: VaultContext): readonly Step[] {
  const unstakes = calls.some(({ key }) => key === UNSTAKE);
  const takesBack = calls.some(({ key }) => key === TAKE_BACK);
  const fromFarm = unstakes
    ? [one(CREATE), optional(TAKE_BACK), one(UNSTAKE), one(TAKE_BACK)]
    : [one(CREATE), one(TAKE_BACK)];
  return [
    ...BUDGET_STEPS,
    ...(unstakes || takesBack ? fromFarm : []),
    one(CREATE),
    several(MAX_REDEMPTIONS, 'kvault withdraw', 'kvault withdrawFromAvailable'),
    ...(isSol ? [one(CLOSE)] : []),
    ...(amount === 'all' ? [optional(CLOSE)] : []),
  ];
}

/** Checks the accounts of the vault and farms programs. */
function checkVaultCalls(calls: readonly Call[], context: VaultContext): void {
  const { findings, program, farm } = context;
  for (const call of calls) {
    if (call.spec.program === 'kvault') {
      checkAccounts(call, vaultRules, context);
      checkListedAccounts(call, context);
      if (call.program !== program) {
        findings.add('UNKNOWN_PROGRAM', `${call.spec.name} is of another vault program.`, call);
      }
    }
    if (call.spec.program !== 'farms') continue;
    if (farm === undefined) {
      // anyone can create a farm for the shares that locks or slashes them
      const message = 'Give the farm of the vault: a farm of someone else could keep the shares.';
      findings.add('MISSING_CHAIN_DATA', message, call);
    } else {
      checkAccounts(call, stakeRules, context);
    }
  }
}

function expectAmount(
  call: Call,
  [name, expected]: readonly [string, bigint],
  { findings }: VaultContext,
): void {
  const found = call.args[name];
  if (found === expected) return;
  const message = `The amount of ${call.spec.name} is ${found} instead of ${expected} smallest units.`;
  findings.add('WRONG_AMOUNT', message, call);
}
