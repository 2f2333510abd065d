import type { Address } from '../../base/encoding/address.ts';
import { CodedError, hasCode } from '../../base/errors.ts';
import type { Build, BuildContext, ComputeBudget } from '../build.ts';
import { claimBuilder } from '../claims/claim-builder.ts';
import type { ClaimRequest } from '../claims/claim-request.ts';
import { readLoan } from '../lending/lending-position.ts';
import {
  type LendingRequest,
  type RequestedObligation,
  requireMarket,
  resolveObligation,
} from '../lending/lending-request.ts';
import { repayBuilder } from '../lending/repay-builder.ts';
import { withdrawBuilder } from '../lending/withdraw-builder.ts';
import { resultOrError } from '../result-or-error.ts';
import { simulateClaim } from '../simulation/simulate-claim.ts';
import { simulateLending } from '../simulation/simulate-lending.ts';
import { simulateVaultWithdraw } from '../simulation/simulate-vault-withdraw.ts';
import { vaultWithdrawBuilder } from '../vaults/vault-withdraw-builder.ts';
import { type PlanAction, type PlannedTransaction, planTransactions } from './plan-transactions.ts';

/** Plans several transactions. Both functions are pure. */
export type Planner<Request> = {
  /** Addresses to read before `plan`. Empty when all are in the context. */
  requiredAccounts(request: Request, context: BuildContext): readonly Address[];
  plan(request: Request, context: BuildContext): readonly PlannedTransaction[];
};

export type LoanExitRequest = ComputeBudget & {
  readonly wallet: Address;
  readonly market: Address;
  /** Default: the vanilla obligation with id 0. */
  readonly obligation?: RequestedObligation | undefined;
};

export type VaultExitRequest = ComputeBudget & {
  readonly wallet: Address;
  readonly vault: Address;
};

/** Repays every debt of a loan, withdraws every deposit, and claims the rewards of both. */
export const loanExitPlanner: Planner<LoanExitRequest> = {
  requiredAccounts(request, context) {
    const { obligation } = loanOf(request, context);
    if (!context.accounts.has(obligation)) return [obligation];
    return requiredBy(loanSteps(request, context), context);
  },
  plan(request, context) {
    const { wallet } = request;
    const steps = loanSteps(request, context);
    const transactions = planTransactions(steps.map(toAction), context, {
      wallet,
      budget: request,
    });
    if (transactions.length > 0) return transactions;
    throw new CodedError('KLEND_OBLIGATION_NOT_FOUND', { wallet, market: request.market });
  },
};

/** Redeems all shares of a vault that the wallet holds or has staked, and claims the rewards. */
export const vaultExitPlanner: Planner<VaultExitRequest> = {
  requiredAccounts: (request, context) => requiredBy(vaultSteps(request), context),
  plan(request, context) {
    const { wallet } = request;
    const actions = vaultSteps(request).map(toAction);
    return planTransactions(actions, context, { wallet, budget: request });
  },
};

/** A builder with its request, its simulation, and whether it may find nothing to do. */
type ExitStep = Pick<PlanAction, 'simulate' | 'loan' | 'tokenPrograms'> & {
  readonly isOptional: boolean;
  requiredAccounts(context: BuildContext): readonly Address[];
  build(context: BuildContext): Build;
};

const requiredBy = (steps: readonly ExitStep[], context: BuildContext): readonly Address[] => [
  ...new Set(steps.flatMap((step) => step.requiredAccounts(context))),
];

function toAction({ isOptional, build, simulate, ...step }: ExitStep): PlanAction {
  return {
    ...step,
    simulate,
    build(context) {
      const built = resultOrError(() => build(context));
      if (!(built instanceof CodedError)) return built;
      if (isOptional && isNothing(built)) return undefined;
      throw built;
    },
  };
}

/** Nothing to claim. */
const isNothing = (error: CodedError): boolean =>
  hasCode(error, 'NOTHING_TO_BUILD') || hasCode(error, 'KLEND_OBLIGATION_NOT_FOUND');

function loanOf({ wallet, market, obligation }: LoanExitRequest, { state }: BuildContext) {
  const { program } = requireMarket(state, market);
  return resolveObligation(obligation, { owner: wallet, lendingMarket: market, program });
}

/** Debts first, because they limit withdrawals. Rewards last, because the other steps add to them. */
function loanSteps(request: LoanExitRequest, context: BuildContext): ExitStep[] {
  const { wallet, market, obligation } = request;
  const { obligation: address } = loanOf(request, context);
  const stored = requireMarket(context.state, market);
  const target = { wallet, market: stored, obligation: address, program: stored.program };
  const { borrows = [], deposits = [] } = readLoan(target, context) ?? {};
  const loan = { market, obligation: address };
  const lendingStep = (action: 'repay' | 'withdraw', reserve: Address): ExitStep => {
    const builder = action === 'repay' ? repayBuilder : withdrawBuilder;
    const step: LendingRequest = { wallet, market, obligation, reserve, amount: 'all' };
    return {
      isOptional: false,
      loan,
      tokenPrograms: tokenProgramsOf(reserve, context),
      requiredAccounts: (each) => builder.requiredAccounts(step, each),
      build: (each) => builder.build(step, each),
      simulate: (each) => simulateLending(action, step, each),
    };
  };
  const claims = context.state
    .reservesOf(market)
    .map(({ address: reserve }) => claimStep({ wallet, market, obligation, reserve }));
  return [
    ...borrows.map((reserve) => lendingStep('repay', reserve)),
    ...deposits.map((reserve) => lendingStep('withdraw', reserve)),
    ...claims,
  ];
}

function vaultSteps({ wallet, vault }: VaultExitRequest): ExitStep[] {
  const withdrawal = { wallet, vault, shares: 'all' } as const;
  return [
    {
      isOptional: false,
      requiredAccounts: (context) => vaultWithdrawBuilder.requiredAccounts(withdrawal, context),
      build: (context) => vaultWithdrawBuilder.build(withdrawal, context),
      simulate: (context) => simulateVaultWithdraw(withdrawal, context),
    },
    claimStep({ wallet, vault }),
  ];
}

const claimStep = (request: ClaimRequest): ExitStep => ({
  isOptional: true,
  requiredAccounts: (context) => claimBuilder.requiredAccounts(request, context),
  build: (context) => claimBuilder.build(request, context),
  simulate: (context) => simulateClaim(request, context),
});

function tokenProgramsOf(reserve: Address, { state }: BuildContext): Map<Address, Address> {
  const liquidity = state.reserve(reserve)?.fields.liquidity;
  return new Map(liquidity && [[liquidity.mintPubkey, liquidity.tokenProgram]]);
}
