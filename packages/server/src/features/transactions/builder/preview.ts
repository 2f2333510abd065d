import {
  type CodedError,
  hasCode,
  type LatestBlockhash,
  type Simulation,
  type Slot,
} from '@tidegate/core/base';
import {
  type Build,
  type Forecast,
  feeOf,
  type LoanForecast,
  type LoanPlace,
  leftoverRefusal,
  orRefusal,
  payFee,
  reportLoans,
  type Scene,
  simulatedChanges,
  simulatedLoan,
  type TokenChange,
  type UnsignedTransaction,
  watchedAccounts,
} from '@tidegate/core/builders';
import {
  knownProgram,
  type TransactionFailure,
  viewSimulatedFailure,
} from '@tidegate/core/views/transactions';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { loanJson } from '../../loan-report/loan-report-json.ts';
import type { Action, Asking } from './builder-action.ts';
import type { Budget } from './builder-schemas.ts';

/** What a transaction would do, by a simulation or by our own model. */
export type Outcome = {
  readonly slot: Slot;
  readonly failure: Failure | undefined;
  readonly computeUnits: bigint | undefined;
  readonly tokens: readonly TokenChange[];
  /** Of the wallet's SOL, without the fee. */
  readonly lamports: bigint;
  readonly loan: LoanJson | null;
};

export type Failure = Partial<Omit<TransactionFailure, 'program'>> & {
  readonly program?: string | undefined;
};

type Report = ReturnType<typeof loanJson>;
type LoanJson = { readonly before: Report | null; readonly after: Report | null };

/** A build and what it was made from. */
export type Built<Body extends Budget, Request extends Asking> = {
  readonly action: Action<Body, Request>;
  readonly request: Request;
  readonly scene: Scene;
  readonly build: Build;
  /** Of the last account that was read for it. */
  readonly slot: Slot;
};

/** What is told of state at once, because it goes on while a simulation is waited for. */
export type Foresight = {
  readonly feeLamports: bigint;
  readonly place: LoanPlace | undefined;
  readonly before: Report | null;
  /** By our own model, or why it can say nothing. */
  readonly outcome: Outcome | CodedError;
};

export function foresee<Body extends Budget, Request extends Asking>(
  built: Built<Body, Request>,
): Foresight {
  const { action, request, scene, build } = built;
  const fee = feeOf(build, request);
  const feeLamports = fee.base + fee.priority;
  const place = action.loanOf?.(request, scene.state);
  const loan = place && simulatedLoan(place, scene, new Map());
  const before = reportOf(place && loan && reportLoans(loan, place, scene.state).before);
  const known = { feeLamports, place, before };
  return { ...known, outcome: orRefusal(() => modelled(built, known)) };
}

/** The very message is simulated. Undefined where no endpoint can. */
export async function simulated(
  { build, scene, slot }: Pick<Built<Budget, Asking>, 'build' | 'scene' | 'slot'>,
  { feeLamports, place, before }: Foresight,
  { cluster, transaction, latest }: Compiled,
): Promise<Outcome | undefined> {
  const minSlot = latest.slot > slot ? latest.slot : slot;
  const addresses = watchedAccounts(build, scene, place);
  const simulation = await unlessRefused(cluster.simulate(transaction.wire, addresses, minSlot));
  if (simulation === undefined) return undefined;
  const failure = viewSimulatedFailure(simulation.error, simulation.logs);
  const { slot: at, unitsConsumed: computeUnits, accounts } = simulation;
  const ran = { slot: at, failure, computeUnits };
  if (failure !== undefined) return { ...ran, ...UNCHANGED, loan: loanOf(place, before) };
  const { tokens, lamports } = simulatedChanges(build, scene, accounts);
  const after = place && simulatedLoan(place, scene, accounts);
  return {
    ...ran,
    tokens,
    lamports: lamports + feeLamports,
    loan: loanOf(place, before, reportAfter(after, place, scene)),
  };
}

/** What would be signed, and where it would be run. */
export type Compiled = {
  readonly cluster: Cluster;
  readonly transaction: UnsignedTransaction;
  readonly latest: LatestBlockhash;
};

const UNCHANGED = { tokens: [], lamports: 0n };

function modelled<Body extends Budget, Request extends Asking>(
  { action, request, scene, build }: Built<Body, Request>,
  { feeLamports, place, before }: Omit<Foresight, 'outcome'>,
): Outcome {
  const { slot } = scene.state.at();
  const ran = { slot, computeUnits: undefined };
  const failed = (failure: Failure): Outcome => ({
    ...ran,
    failure,
    ...UNCHANGED,
    loan: loanOf(place, before),
  });
  const paid = payFee(build, { feeLamports, scene });
  if ('name' in paid) return failed(paid);
  const forecast = action.forecast(request, paid);
  if (forecast.failure !== undefined) return failed(failureOf(forecast.failure, build));
  const leftover = leftoverRefusal(build, forecast.lamports, paid);
  if (leftover !== undefined) return failed(leftover);
  const { tokens, lamports } = forecast;
  const after = reportAfter(forecast.loan, place, scene);
  return { ...ran, failure: undefined, tokens, lamports, loan: loanOf(place, before, after) };
}

/** A forecast names the program; which deployment of it is called, directly or by another one, the build tells. */
function failureOf(failure: NonNullable<Forecast['failure']>, { instructions }: Build): Failure {
  const named = instructions.flatMap(({ programAddress, accounts }) => [
    programAddress,
    ...accounts.map(({ address }) => address),
  ]);
  const programAddress = named.find((each) => knownProgram(each)?.name === failure.program);
  return { ...failure, programAddress };
}

const loanOf = (
  place: LoanPlace | undefined,
  before: Report | null,
  after: Report | null = null,
): LoanJson | null => (place === undefined ? null : { before, after });

function reportAfter(
  loan: LoanForecast | undefined,
  place: LoanPlace | undefined,
  { state }: Scene,
): Report | null {
  if (loan === undefined || place === undefined) return null;
  return reportOf(reportLoans({ ...loan, before: undefined }, place, state).after);
}

const reportOf = (loan: Parameters<typeof loanJson>[0] | undefined): Report | null =>
  loan === undefined ? null : loanJson(loan);

async function unlessRefused(asked: Promise<Simulation>): Promise<Simulation | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (hasCode(error, 'SOURCE_REFUSES')) return undefined;
    throw error;
  }
}
