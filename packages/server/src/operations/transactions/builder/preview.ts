import type { LatestBlockhash, SimulationResult, Slot } from '@tidegate/core/base';
import {
  type Build,
  type BuildContext,
  checkRentExemptBalance,
  deductFee,
  estimateFee,
  type FailureDetails,
  type LoanAddresses,
  type LoanOutcome,
  loanOutcomeOfSimulation,
  type ProgramRejection,
  reportLoans,
  resultOrError,
  type SimulationOutcome,
  simulationAddresses,
  type TokenChange,
  type UnsignedTransaction,
  walletChangesOfSimulation,
  withEnoughSol,
} from '@tidegate/core/builders';
import type { LoanReport, PriceAge } from '@tidegate/core/views/lending';
import {
  findKnownProgram,
  type TransactionFailure,
  viewSimulatedFailure,
} from '@tidegate/core/views/transactions';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { type CodedError, hasCode } from '../../../errors.ts';
import { loanReportJson } from '../../../support/loans/loan-report-json.ts';
import { loanPriceAges } from '../../../support/pricing/data-notes.ts';
import type { BuilderAction, BuilderRequest } from './builder-action.ts';
import type { ComputeBudgetFields } from './builder-schemas.ts';

/** Result of a simulation on the cluster or of the local one. */
export type PreviewOutcome = {
  readonly slot: Slot;
  /** Slot of the state that the figures of a failure come from. */
  readonly figuresSlot: Slot;
  readonly failure: PreviewFailure | undefined;
  readonly computeUnits: bigint | undefined;
  readonly tokens: readonly TokenChange[];
  /** Change of the wallet's SOL, without the fee. */
  readonly lamports: bigint;
  readonly loan: LoanJson | null;
  /** Of the prices that the loan afterwards is valued at. */
  readonly priceAges: readonly PriceAge[];
};

export type PreviewFailure = Partial<Omit<TransactionFailure, 'program'>> &
  FailureDetails & {
    readonly program?: string | undefined;
  };

type Report = ReturnType<typeof loanReportJson>;
type LoanJson = { readonly before: Report | null; readonly after: Report | null };

/** A build with its inputs. */
export type PreparedBuild<Body extends ComputeBudgetFields, Request extends BuilderRequest> = {
  readonly action: BuilderAction<Body, Request>;
  readonly request: Request;
  readonly context: BuildContext;
  readonly build: Build;
  /** Slot of the last account read. */
  readonly slot: Slot;
};

/** The part of a preview that depends on cluster state. Computed first, because the state changes during the simulation. */
export type LocalPreview = {
  readonly feeLamports: bigint;
  readonly addresses: LoanAddresses | undefined;
  readonly before: Report | null;
  /** Of the prices that the loan before is valued at. */
  readonly priceAges: readonly PriceAge[];
  /** Slot of the state. */
  readonly slot: Slot;
  /** Local simulation, or why it is impossible. */
  readonly outcome: PreviewOutcome | CodedError;
  /** Its failure, and that of a wallet with enough SOL, which the cluster may report first. */
  readonly failures: readonly PreviewFailure[];
};

export function previewLocally<Body extends ComputeBudgetFields, Request extends BuilderRequest>(
  prepared: PreparedBuild<Body, Request>,
): LocalPreview {
  const { action, request, context, build } = prepared;
  const fee = estimateFee(build, request);
  const feeLamports = fee.base + fee.priority;
  const addresses = action.loanAddressesOf?.(request, context.state);
  const loan = addresses && loanOutcomeOfSimulation(addresses, context, new Map());
  const before = reportOf(addresses && loan && reportLoans(loan, addresses, context.state).before);
  const { slot } = context.state.at();
  const { report, priceAges } = before;
  const local = { feeLamports, addresses, before: report, priceAges, slot };
  const outcome = resultOrError(() => simulateLocally(prepared, local));
  const failure = 'failure' in outcome ? outcome.failure : undefined;
  if (failure?.figures?.unit !== 'sol') return { ...local, outcome, failures: listOf(failure) };
  const funded = { ...prepared, context: withEnoughSol(build, context) };
  const next = resultOrError(() => simulateLocally(funded, local));
  const second = 'failure' in next ? next.failure : undefined;
  return { ...local, outcome, failures: [failure, ...listOf(second)] };
}

/** Simulates the compiled message. Undefined if no endpoint supports simulation. */
export async function simulateOnCluster(
  {
    build,
    context,
    slot,
  }: Pick<PreparedBuild<ComputeBudgetFields, BuilderRequest>, 'build' | 'context' | 'slot'>,
  { feeLamports, addresses: loan, before, slot: figuresSlot, failures }: LocalPreview,
  { cluster, transaction, latest }: CompiledBuild,
): Promise<PreviewOutcome | undefined> {
  const minSlot = latest.slot > slot ? latest.slot : slot;
  const addresses = simulationAddresses(build, context, loan);
  const simulation = await unlessUnsupported(
    cluster.simulateTransaction(transaction.wire, addresses, minSlot),
  );
  if (simulation === undefined) return undefined;
  const rejected = viewSimulatedFailure(simulation.error, simulation.logs);
  const failure = rejected && withDetails(rejected, failures);
  const { slot: at, unitsConsumed: computeUnits, accounts } = simulation;
  const result = { slot: at, figuresSlot, failure, computeUnits };
  if (failure !== undefined) return { ...result, ...UNCHANGED, loan: loanJson(loan, before) };
  const { tokens, lamports } = walletChangesOfSimulation(build, context, accounts);
  const outcome = loan && loanOutcomeOfSimulation(loan, context, accounts);
  const after = reportAfter(outcome, loan, context);
  return {
    ...result,
    tokens,
    lamports: lamports + feeLamports,
    loan: loanJson(loan, before, after.report),
    priceAges: after.priceAges,
  };
}

/** The transaction to sign and the cluster to simulate it on. */
export type CompiledBuild = {
  readonly cluster: Cluster;
  readonly transaction: UnsignedTransaction;
  readonly latest: LatestBlockhash;
};

const UNCHANGED = { tokens: [], lamports: 0n, priceAges: [] };

function simulateLocally<Body extends ComputeBudgetFields, Request extends BuilderRequest>(
  { action, request, context, build }: PreparedBuild<Body, Request>,
  { feeLamports, addresses, before, slot }: Omit<LocalPreview, 'outcome' | 'failures'>,
): PreviewOutcome {
  const result = { slot, figuresSlot: slot, computeUnits: undefined };
  const failed = (failure: PreviewFailure): PreviewOutcome => ({
    ...result,
    failure,
    ...UNCHANGED,
    loan: loanJson(addresses, before),
  });
  const paid = deductFee(build, { feeLamports, context });
  if ('name' in paid) return failed(paid);
  const outcome = action.simulateLocally(request, paid);
  if (outcome.failure !== undefined) {
    return failed(toPreviewFailure(withFee(outcome.failure, feeLamports), build));
  }
  const rentFailure = checkRentExemptBalance(build, outcome.lamports, paid);
  if (rentFailure !== undefined) return failed(rentFailure);
  const { tokens, lamports } = outcome;
  const { report, priceAges } = reportAfter(outcome.loan, addresses, context);
  const loan = loanJson(addresses, before, report);
  return { ...result, failure: undefined, tokens, lamports, loan, priceAges };
}

const listOf = (failure: PreviewFailure | undefined): readonly PreviewFailure[] =>
  failure === undefined ? [] : [failure];

/**
 * The cluster's failure with the figures of a local one for the same reason. A failure for another reason has other
 * figures.
 */
function withDetails(
  failure: TransactionFailure,
  local: readonly PreviewFailure[],
): PreviewFailure {
  const isSame = ({ name, program }: PreviewFailure): boolean =>
    name === failure.name && program === failure.program;
  const same = local.find(isSame) ?? local.find((each) => isOverflowOf(failure, each));
  if (same === undefined) return failure;
  if (!isSame(same)) return { ...failure, meaning: failure.message, figures: same.figures };
  const { message = failure.message, meaning, figures, maxAmount, suggestedAmount } = same;
  return { ...failure, message, meaning, figures, maxAmount, suggestedAmount };
}

/** A program without an error for an overflow panics. */
const isOverflowOf = (failure: TransactionFailure, local: PreviewFailure): boolean =>
  failure.isOutOfUnits === false &&
  local.name === 'MathOverflow' &&
  local.program === failure.program;

/** Counts the fee as needed and available, so that the figures compare with the balance of the wallet. */
function withFee(failure: ProgramRejection, feeLamports: bigint): ProgramRejection {
  const { figures } = failure;
  if (figures?.unit !== 'sol') return failure;
  const { needed = 0n, available = 0n } = figures;
  const added = { needed: needed + feeLamports, available: available + feeLamports };
  return { ...failure, figures: { ...figures, ...added } };
}

/** Adds the address of the failing program, which the build calls directly or through another program. */
function toPreviewFailure(
  failure: NonNullable<SimulationOutcome['failure']>,
  { instructions }: Build,
): PreviewFailure {
  const referenced = instructions.flatMap(({ programAddress, accounts }) => [
    programAddress,
    ...accounts.map(({ address }) => address),
  ]);
  const programAddress = referenced.find(
    (each) => findKnownProgram(each)?.name === failure.program,
  );
  return { ...failure, programAddress };
}

const loanJson = (
  addresses: LoanAddresses | undefined,
  before: Report | null,
  after: Report | null = null,
): LoanJson | null => (addresses === undefined ? null : { before, after });

function reportAfter(
  outcome: LoanOutcome | undefined,
  addresses: LoanAddresses | undefined,
  { state }: BuildContext,
): ReportedLoan {
  if (outcome === undefined || addresses === undefined) return NO_LOAN;
  return reportOf(reportLoans({ ...outcome, before: undefined }, addresses, state).after);
}

type ReportedLoan = { readonly report: Report | null; readonly priceAges: readonly PriceAge[] };

const NO_LOAN: ReportedLoan = { report: null, priceAges: [] };

const reportOf = (loan: LoanReport | undefined): ReportedLoan =>
  loan === undefined ? NO_LOAN : { report: loanReportJson(loan), priceAges: loanPriceAges(loan) };

async function unlessUnsupported(
  simulation: Promise<SimulationResult>,
): Promise<SimulationResult | undefined> {
  try {
    return await simulation;
  } catch (error) {
    if (hasCode(error, 'SOURCE_REFUSES')) return undefined;
    throw error;
  }
}
