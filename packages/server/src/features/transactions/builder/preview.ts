import {
  type CodedError,
  hasCode,
  type LatestBlockhash,
  type SimulationResult,
  type Slot,
} from '@tidegate/core/base';
import {
  type Build,
  type BuildContext,
  checkRentExemptBalance,
  deductFee,
  estimateFee,
  type LoanAddresses,
  type LoanOutcome,
  loanOutcomeOfSimulation,
  reportLoans,
  resultOrError,
  type SimulationOutcome,
  simulationAddresses,
  type TokenChange,
  type UnsignedTransaction,
  walletChangesOfSimulation,
} from '@tidegate/core/builders';
import {
  findKnownProgram,
  type TransactionFailure,
  viewSimulatedFailure,
} from '@tidegate/core/views/transactions';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { loanReportJson } from '../../loan-report/loan-report-json.ts';
import type { BuilderAction, BuilderRequest } from './builder-action.ts';
import type { ComputeBudgetFields } from './builder-schemas.ts';

/** Result of a simulation on the cluster or of the local one. */
export type PreviewOutcome = {
  readonly slot: Slot;
  readonly failure: PreviewFailure | undefined;
  readonly computeUnits: bigint | undefined;
  readonly tokens: readonly TokenChange[];
  /** Change of the wallet's SOL, without the fee. */
  readonly lamports: bigint;
  readonly loan: LoanJson | null;
};

export type PreviewFailure = Partial<Omit<TransactionFailure, 'program'>> & {
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
  /** Local simulation, or why it is impossible. */
  readonly outcome: PreviewOutcome | CodedError;
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
  const local = { feeLamports, addresses, before };
  return { ...local, outcome: resultOrError(() => simulateLocally(prepared, local)) };
}

/** Simulates the compiled message. Undefined if no endpoint supports simulation. */
export async function simulateOnCluster(
  {
    build,
    context,
    slot,
  }: Pick<PreparedBuild<ComputeBudgetFields, BuilderRequest>, 'build' | 'context' | 'slot'>,
  { feeLamports, addresses: loan, before }: LocalPreview,
  { cluster, transaction, latest }: CompiledBuild,
): Promise<PreviewOutcome | undefined> {
  const minSlot = latest.slot > slot ? latest.slot : slot;
  const addresses = simulationAddresses(build, context, loan);
  const simulation = await unlessUnsupported(
    cluster.simulateTransaction(transaction.wire, addresses, minSlot),
  );
  if (simulation === undefined) return undefined;
  const failure = viewSimulatedFailure(simulation.error, simulation.logs);
  const { slot: at, unitsConsumed: computeUnits, accounts } = simulation;
  const result = { slot: at, failure, computeUnits };
  if (failure !== undefined) return { ...result, ...UNCHANGED, loan: loanJson(loan, before) };
  const { tokens, lamports } = walletChangesOfSimulation(build, context, accounts);
  const after = loan && loanOutcomeOfSimulation(loan, context, accounts);
  return {
    ...result,
    tokens,
    lamports: lamports + feeLamports,
    loan: loanJson(loan, before, reportAfter(after, loan, context)),
  };
}

/** The transaction to sign and the cluster to simulate it on. */
export type CompiledBuild = {
  readonly cluster: Cluster;
  readonly transaction: UnsignedTransaction;
  readonly latest: LatestBlockhash;
};

const UNCHANGED = { tokens: [], lamports: 0n };

function simulateLocally<Body extends ComputeBudgetFields, Request extends BuilderRequest>(
  { action, request, context, build }: PreparedBuild<Body, Request>,
  { feeLamports, addresses, before }: Omit<LocalPreview, 'outcome'>,
): PreviewOutcome {
  const { slot } = context.state.at();
  const result = { slot, computeUnits: undefined };
  const failed = (failure: PreviewFailure): PreviewOutcome => ({
    ...result,
    failure,
    ...UNCHANGED,
    loan: loanJson(addresses, before),
  });
  const paid = deductFee(build, { feeLamports, context });
  if ('name' in paid) return failed(paid);
  const outcome = action.simulateLocally(request, paid);
  if (outcome.failure !== undefined) return failed(toPreviewFailure(outcome.failure, build));
  const rentFailure = checkRentExemptBalance(build, outcome.lamports, paid);
  if (rentFailure !== undefined) return failed(rentFailure);
  const { tokens, lamports } = outcome;
  const after = reportAfter(outcome.loan, addresses, context);
  const loan = loanJson(addresses, before, after);
  return { ...result, failure: undefined, tokens, lamports, loan };
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
): Report | null {
  if (outcome === undefined || addresses === undefined) return null;
  return reportOf(reportLoans({ ...outcome, before: undefined }, addresses, state).after);
}

const reportOf = (loan: Parameters<typeof loanReportJson>[0] | undefined): Report | null =>
  loan === undefined ? null : loanReportJson(loan);

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
