import type { Address } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import { budgetSteps } from '../assemble-build.ts';
import type { Build, ComputeBudget, LookupTable } from '../build.ts';
import { type BuildSummary, summarizeBuild, type TokenMove } from '../build-summary.ts';
import { compileTransaction, requireTransactionSize } from '../compile-transaction.ts';
import { resultOrError } from '../result-or-error.ts';
import type {
  LoanOutcome,
  SimulationOutcome,
  TokenChange,
} from '../simulation/simulation-outcome.ts';
import { selectTransactionLookupTables } from '../transaction-lookup-tables.ts';

/** Any blockhash has the same size. */
const SOME_BLOCKHASH = '11111111111111111111111111111111';

/** One transaction that does what several builds of a wallet do, one after the other. */
export function mergeBuilds(
  [first, ...others]: readonly [Build, ...Build[]],
  budget: ComputeBudget,
): Build {
  const builds = [first, ...others];
  const { wallet } = first;
  const budgeted = budgetSteps(budget);
  const instructions = [
    ...budgeted.map(({ instruction }) => instruction),
    ...builds.flatMap((build) => build.instructions),
  ];
  const tables = new Map<Address, LookupTable>();
  for (const table of builds.flatMap((build) => build.lookupTables))
    tables.set(table.address, table);
  const lookupTables = selectTransactionLookupTables([...tables.values()], instructions, wallet);
  const empty = { summary: '', pays: [], receives: [], notes: [] };
  const plans = [summarizeBuild(budgeted, empty), ...builds.map(({ plan }) => plan)];
  return { wallet, instructions, lookupTables, plan: mergeSummaries(plans) };
}

/** Whether the cluster accepts a transaction of this size. */
export const fitsTransaction = (build: Build): boolean =>
  !(
    resultOrError(() =>
      requireTransactionSize(compileTransaction(build, SOME_BLOCKHASH)),
    ) instanceof CodedError
  );

function mergeSummaries(plans: readonly BuildSummary[]): BuildSummary {
  return {
    summary: plans
      .map(({ summary }) => summary)
      .filter((summary) => summary !== '')
      .join(' '),
    steps: plans.flatMap(({ steps }) => steps),
    creates: plans.flatMap(({ creates }) => creates),
    closes: plans.flatMap(({ closes }) => closes),
    rentLamports: plans.reduce((sum, { rentLamports }) => sum + rentLamports, 0n),
    pays: sumMoves(plans.flatMap(({ pays }) => pays)),
    receives: sumMoves(plans.flatMap(({ receives }) => receives)),
    notes: [...new Set(plans.flatMap(({ notes }) => notes))],
  };
}

/** One entry per token. A sum is as exact as its least exact part. */
function sumMoves(moves: readonly TokenMove[]): readonly TokenMove[] {
  const sums = new Map<Address, TokenMove>();
  for (const move of moves) {
    const sum = sums.get(move.mint);
    const amount = move.amount + (sum?.amount ?? 0n);
    const isSame = sum === undefined || sum.certainty === move.certainty;
    sums.set(move.mint, { ...move, amount, certainty: isSame ? move.certainty : 'about' });
  }
  return [...sums.values()];
}

/** The outcome of simulated parts in sequence, all of which succeed. */
export function mergeOutcomes(outcomes: readonly SimulationOutcome[]): SimulationOutcome {
  const changes = new Map<Address, TokenChange>();
  for (const each of outcomes.flatMap(({ tokens }) => tokens)) {
    const change = each.change + (changes.get(each.mint)?.change ?? 0n);
    changes.set(each.mint, { ...each, change });
  }
  return {
    failure: undefined,
    tokens: [...changes.values()].filter(({ change }) => change !== 0n),
    lamports: outcomes.reduce((sum, { lamports }) => sum + lamports, 0n),
    loan: mergeLoans(outcomes.flatMap(({ loan }) => loan ?? [])),
  };
}

function mergeLoans(loans: readonly LoanOutcome[]): LoanOutcome | undefined {
  const [first, last] = [loans[0], loans.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return {
    before: first.before,
    after: last.after,
    reservesAfter: new Map(loans.flatMap(({ reservesAfter }) => [...reservesAfter])),
  };
}
