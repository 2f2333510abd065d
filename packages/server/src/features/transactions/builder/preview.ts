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

/** What a transaction would do, by a simulation or by our own model. */
export type PreviewOutcome = {
  readonly slot: Slot;
  readonly failure: PreviewFailure | undefined;
  readonly computeUnits: bigint | undefined;
  readonly tokens: readonly TokenChange[];
  /** Of the wallet's SOL, without the fee. */
  readonly lamports: bigint;
  readonly loan: LoanJson | null;
};

export type PreviewFailure = Partial<Omit<TransactionFailure, 'program'>> & {
  readonly program?: string | undefined;
};

type Report = ReturnType<typeof loanReportJson>;
type LoanJson = { readonly before: Report | null; readonly after: Report | null };

/** A build and what it was made from. */
export type PreparedBuild<Body extends ComputeBudgetFields, Request extends BuilderRequest> = {
  readonly action: BuilderAction<Body, Request>;
  readonly request: Request;
  readonly scene: BuildContext;
  readonly build: Build;
  /** Of the last account that was read for it. */
  readonly slot: Slot;
};

/** What is told of state at once, because it goes on while a simulation is waited for. */
export type LocalPreview = {
  readonly feeLamports: bigint;
  readonly place: LoanAddresses | undefined;
  readonly before: Report | null;
  /** By our own model, or why it can say nothing. */
  readonly outcome: PreviewOutcome | CodedError;
};

export function previewLocally<Body extends ComputeBudgetFields, Request extends BuilderRequest>(
  built: PreparedBuild<Body, Request>,
): LocalPreview {
  const { action, request, scene, build } = built;
  const fee = estimateFee(build, request);
  const feeLamports = fee.base + fee.priority;
  const place = action.loanOf?.(request, scene.state);
  const loan = place && loanOutcomeOfSimulation(place, scene, new Map());
  const before = reportOf(place && loan && reportLoans(loan, place, scene.state).before);
  const known = { feeLamports, place, before };
  return { ...known, outcome: resultOrError(() => modelled(built, known)) };
}

/** The very message is simulated. Undefined where no endpoint can. */
export async function simulateOnCluster(
  {
    build,
    scene,
    slot,
  }: Pick<PreparedBuild<ComputeBudgetFields, BuilderRequest>, 'build' | 'scene' | 'slot'>,
  { feeLamports, place, before }: LocalPreview,
  { cluster, transaction, latest }: CompiledBuild,
): Promise<PreviewOutcome | undefined> {
  const minSlot = latest.slot > slot ? latest.slot : slot;
  const addresses = simulationAddresses(build, scene, place);
  const simulation = await unlessRefused(cluster.simulate(transaction.wire, addresses, minSlot));
  if (simulation === undefined) return undefined;
  const failure = viewSimulatedFailure(simulation.error, simulation.logs);
  const { slot: at, unitsConsumed: computeUnits, accounts } = simulation;
  const ran = { slot: at, failure, computeUnits };
  if (failure !== undefined) return { ...ran, ...UNCHANGED, loan: loanOf(place, before) };
  const { tokens, lamports } = walletChangesOfSimulation(build, scene, accounts);
  const after = place && loanOutcomeOfSimulation(place, scene, accounts);
  return {
    ...ran,
    tokens,
    lamports: lamports + feeLamports,
    loan: loanOf(place, before, reportAfter(after, place, scene)),
  };
}

/** What would be signed, and where it would be run. */
export type CompiledBuild = {
  readonly cluster: Cluster;
  readonly transaction: UnsignedTransaction;
  readonly latest: LatestBlockhash;
};

const UNCHANGED = { tokens: [], lamports: 0n };

function modelled<Body extends ComputeBudgetFields, Request extends BuilderRequest>(
  { action, request, scene, build }: PreparedBuild<Body, Request>,
  { feeLamports, place, before }: Omit<LocalPreview, 'outcome'>,
): PreviewOutcome {
  const { slot } = scene.state.at();
  const ran = { slot, computeUnits: undefined };
  const failed = (failure: PreviewFailure): PreviewOutcome => ({
    ...ran,
    failure,
    ...UNCHANGED,
    loan: loanOf(place, before),
  });
  const paid = deductFee(build, { feeLamports, scene });
  if ('name' in paid) return failed(paid);
  const forecast = action.forecast(request, paid);
  if (forecast.failure !== undefined) return failed(failureOf(forecast.failure, build));
  const leftover = checkRentExemptBalance(build, forecast.lamports, paid);
  if (leftover !== undefined) return failed(leftover);
  const { tokens, lamports } = forecast;
  const after = reportAfter(forecast.loan, place, scene);
  return { ...ran, failure: undefined, tokens, lamports, loan: loanOf(place, before, after) };
}

/** A forecast names the program; which deployment of it is called, directly or by another one, the build tells. */
function failureOf(
  failure: NonNullable<SimulationOutcome['failure']>,
  { instructions }: Build,
): PreviewFailure {
  const named = instructions.flatMap(({ programAddress, accounts }) => [
    programAddress,
    ...accounts.map(({ address }) => address),
  ]);
  const programAddress = named.find((each) => findKnownProgram(each)?.name === failure.program);
  return { ...failure, programAddress };
}

const loanOf = (
  place: LoanAddresses | undefined,
  before: Report | null,
  after: Report | null = null,
): LoanJson | null => (place === undefined ? null : { before, after });

function reportAfter(
  loan: LoanOutcome | undefined,
  place: LoanAddresses | undefined,
  { state }: BuildContext,
): Report | null {
  if (loan === undefined || place === undefined) return null;
  return reportOf(reportLoans({ ...loan, before: undefined }, place, state).after);
}

const reportOf = (loan: Parameters<typeof loanReportJson>[0] | undefined): Report | null =>
  loan === undefined ? null : loanReportJson(loan);

async function unlessRefused(
  asked: Promise<SimulationResult>,
): Promise<SimulationResult | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (hasCode(error, 'SOURCE_REFUSES')) return undefined;
    throw error;
  }
}
