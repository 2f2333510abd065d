import type { Address } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import { formatUnits } from '../../base/numbers/decimal.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../protocol/spl/programs.ts';
import type { Build, BuildContext, ComputeBudget } from '../build.ts';
import { symbolFor } from '../scaled-amount-notes.ts';
import { checkRentExemptBalance, deductFee, estimateFee } from '../simulation/fee-payer.ts';
import type { LoanAddresses } from '../simulation/loan-reports.ts';
import type { ProgramRejection, SimulationOutcome } from '../simulation/simulation-outcome.ts';
import { contextAfter, withLamports, withMoreTokens } from './chained-context.ts';
import { fitsTransaction, mergeBuilds, mergeOutcomes } from './merge-builds.ts';

/** One action of a plan. Both functions get the context after the actions before it. */
export type PlanAction = {
  /** Undefined if there is nothing to do. Without a compute budget. */
  build(context: BuildContext): Build | undefined;
  simulate(context: BuildContext): SimulationOutcome;
  /** The loan of the outcome. */
  readonly loan?: LoanAddresses | undefined;
  /** By mint; Token-2022 for some. */
  readonly tokenPrograms?: ReadonlyMap<Address, Address>;
};

/** A transaction of a plan, with its effect on the state after the transactions before it. */
export type PlannedTransaction = {
  readonly build: Build;
  readonly outcome: SimulationOutcome;
  readonly feeLamports: bigint;
  readonly loan: LoanAddresses | undefined;
  /** The context before it. */
  readonly context: BuildContext;
};

type PlanOptions = { readonly wallet: Address; readonly budget: ComputeBudget };

/** More would need more compute units than a transaction can have. */
const MAX_ACTIONS = 3;

const SOL_DECIMALS = 9;

/** Errors of a wallet that has too few tokens, or no account of them. */
const TOKEN_SHORTFALLS: readonly string[] = ['InsufficientFunds', 'AccountNotInitialized'];

/** SOL for the fee, for rent and for wrapping, and each token of an action, can be missing. */
const MAX_FUNDINGS = 8;

type Open = {
  readonly builds: readonly [Build, ...Build[]];
  readonly outcomes: readonly SimulationOutcome[];
  readonly merged: Build;
  readonly feeLamports: bigint;
  readonly loan: LoanAddresses | undefined;
  readonly context: BuildContext;
};

/**
 * Builds and simulates actions one after the other, and puts as many into a transaction as fit. Throws PLAN_UNFUNDED with
 * everything that the wallet lacks, and PLAN_REJECTED for the first action that the programs reject for another reason.
 */
export function planTransactions(
  actions: readonly PlanAction[],
  context: BuildContext,
  { wallet, budget }: PlanOptions,
): PlannedTransaction[] {
  const finished: Open[] = [];
  const shortfall = new Shortfall(wallet);
  let current = context;
  let open: Open | undefined;
  for (const action of actions) {
    const build = action.build(current);
    if (build === undefined) continue;
    const next = openWith(open, { build, budget, context: current });
    if (open !== undefined && next.builds.length === 1) finished.push(open);
    const fee = next.feeLamports - (next.builds.length === 1 ? 0n : (open?.feeLamports ?? 0n));
    const { outcome, funded } = simulateFunded(action, { build, fee, shortfall }, current);
    const loan = action.loan ?? next.loan;
    open = { ...next, outcomes: [...next.outcomes, outcome], loan };
    current = contextAfter({ build, outcome, loan: action.loan }, funded);
  }
  shortfall.requireNone(context);
  return [...finished, ...(open === undefined ? [] : [open])].map((each) => ({
    build: each.merged,
    outcome: mergeOutcomes(each.outcomes),
    feeLamports: each.feeLamports,
    loan: each.loan,
    context: each.context,
  }));
}

type NextBuild = {
  readonly build: Build;
  readonly budget: ComputeBudget;
  readonly context: BuildContext;
};

/** The open transaction with another build, or a new one. A requested compute unit limit is that of one action. */
function openWith(open: Open | undefined, { build, budget, context }: NextBuild): Open {
  if (
    open !== undefined &&
    open.builds.length < MAX_ACTIONS &&
    budget.computeUnitLimit === undefined
  ) {
    const builds = [...open.builds, build] as const;
    const merged = mergeBuilds(builds, budget);
    if (fitsTransaction(merged)) {
      return { ...open, builds, merged, feeLamports: feeOf(merged, budget) };
    }
  }
  const merged = mergeBuilds([build], budget);
  const feeLamports = feeOf(merged, budget);
  return { builds: [build], outcomes: [], merged, feeLamports, loan: undefined, context };
}

function feeOf(build: Build, budget: ComputeBudget): bigint {
  const { base, priority } = estimateFee(build, budget);
  return base + priority;
}

type Simulated = { readonly outcome: SimulationOutcome; readonly funded: BuildContext };

type ActionBuild = {
  readonly build: Build;
  readonly fee: bigint;
  readonly shortfall: Shortfall;
};

/** Counts what the wallet lacks, and goes on as if it had that. */
function simulateFunded(
  action: PlanAction,
  { build, fee, shortfall }: ActionBuild,
  context: BuildContext,
): Simulated {
  let funded = context;
  for (let attempts = 1; ; attempts++) {
    const result = simulatePaid(action, { build, fee }, funded);
    if ('outcome' in result) return result;
    const more = shortfall.add(result, { build, action });
    if (more === undefined || attempts === MAX_FUNDINGS) {
      const { message: reason } = result;
      throw new CodedError('PLAN_REJECTED', { step: build.plan.summary, reason });
    }
    funded = more(funded);
  }
}

/** The outcome and the context after the fee, or why the action fails. */
function simulatePaid(
  action: PlanAction,
  { build, fee }: Pick<ActionBuild, 'build' | 'fee'>,
  context: BuildContext,
): Simulated | Failure {
  const paid = deductFee(build, { feeLamports: fee, context });
  if ('name' in paid) return paid;
  const outcome = action.simulate(paid);
  if (outcome.failure !== undefined) return outcome.failure;
  return checkRentExemptBalance(build, outcome.lamports, paid) ?? { outcome, funded: paid };
}

type Failure = Pick<ProgramRejection, 'name' | 'message' | 'figures'>;

type Funding = (context: BuildContext) => BuildContext;

/** Tokens and SOL that the wallet lacks, over all transactions of a plan. */
class Shortfall {
  readonly #wallet: Address;
  readonly #missing = new Map<Address, { amount: bigint; decimals: number }>();

  constructor(wallet: Address) {
    this.#wallet = wallet;
  }

  /** Undefined if the failure has another reason, or if funding did not help. */
  add(
    { figures, name }: Failure,
    { build, action }: { readonly build: Build; readonly action: PlanAction },
  ): Funding | undefined {
    if (figures === undefined) return undefined;
    const { needed = 0n, available = 0n } = figures;
    const wallet = this.#wallet;
    if (figures.unit === 'sol' && needed > available) {
      this.#count(WRAPPED_SOL_MINT, needed - available, SOL_DECIMALS);
      return (context) => withLamports(wallet, needed - available, context);
    }
    // a limit of a reserve has figures in tokens as well
    if (!TOKEN_SHORTFALLS.includes(name) || figures.token === undefined) return undefined;
    const { mint, decimals } = figures.token;
    const planned = build.plan.pays.find((move) => move.mint === mint)?.amount ?? 0n;
    const amount = (name === 'AccountNotInitialized' ? planned : needed) - available;
    if (amount <= 0n) return undefined;
    this.#count(mint, amount, decimals);
    const tokenProgram = action.tokenPrograms?.get(mint) ?? TOKEN_PROGRAM;
    return (context) => withMoreTokens({ wallet, mint, tokenProgram, amount }, context);
  }

  requireNone(context: BuildContext): void {
    if (this.#missing.size === 0) return;
    const missing = [...this.#missing].map(
      ([mint, { amount, decimals }]) =>
        `${formatUnits(amount, decimals)} ${symbolFor(mint, context)}`,
    );
    throw new CodedError('PLAN_UNFUNDED', { wallet: this.#wallet, missing });
  }

  #count(mint: Address, amount: bigint, decimals: number): void {
    const counted = this.#missing.get(mint)?.amount ?? 0n;
    this.#missing.set(mint, { amount: counted + amount, decimals });
  }
}
