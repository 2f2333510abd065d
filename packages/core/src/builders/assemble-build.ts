import type { Address } from '../base/encoding/address.ts';
import {
  setComputeUnitLimit,
  setComputeUnitPrice,
} from '../protocol/spl/instructions/compute-budget.ts';
import { COMPUTE_BUDGET_PROGRAM } from '../protocol/spl/programs.ts';
import type { Build, BuildContext, ComputeBudget, LookupTable } from './build.ts';
import { type BuildDescription, type BuildStep, summarizeBuild } from './build-summary.ts';
import { guardBuild } from './guards/guard-build.ts';
import { scaledAmountNotes } from './scaled-amount-notes.ts';
import { selectTransactionLookupTables } from './transaction-lookup-tables.ts';

export type BuildDraft = {
  readonly wallet: Address;
  readonly steps: readonly BuildStep[];
  readonly description: BuildDescription;
  /** Candidates, in order of preference. */
  readonly lookupTables: readonly LookupTable[];
  readonly budget: ComputeBudget;
};

/** The last step of every builder. Throws if one of our own instructions breaks a safety rule. */
export function assembleBuild(draft: BuildDraft, context: BuildContext): Build {
  const { wallet } = draft;
  const description = {
    ...draft.description,
    notes: [...draft.description.notes, ...scaledAmountNotes(draft.description, context)],
  };
  const steps = [...budgetSteps(draft.budget), ...draft.steps];
  const instructions = steps.map(({ instruction }) => instruction);
  const own = steps.filter(({ isGiven }) => isGiven !== true);
  guardBuild({ wallet, instructions: own.map(({ instruction }) => instruction) }, context);
  const lookupTables = selectTransactionLookupTables(draft.lookupTables, instructions, wallet);
  return { wallet, instructions, lookupTables, plan: summarizeBuild(steps, description) };
}

export function budgetSteps({ computeUnitLimit, computeUnitPrice }: ComputeBudget): BuildStep[] {
  const steps: BuildStep[] = [];
  if (computeUnitLimit !== undefined) {
    const args = { units: computeUnitLimit };
    const instruction = setComputeUnitLimit.build(COMPUTE_BUDGET_PROGRAM, { accounts: {}, args });
    steps.push({ instruction, why: `Set the compute unit limit to ${computeUnitLimit}.` });
  }
  if (computeUnitPrice !== undefined) {
    const args = { microLamports: computeUnitPrice };
    const instruction = setComputeUnitPrice.build(COMPUTE_BUDGET_PROGRAM, { accounts: {}, args });
    const why = `Set the compute unit price to ${computeUnitPrice} micro-lamports.`;
    steps.push({ instruction, why });
  }
  return steps;
}
