import type { Address } from '../base/encoding/address.ts';
import { setComputeUnitLimit } from '../protocol/spl/instructions/set-compute-unit-limit.ts';
import { setComputeUnitPrice } from '../protocol/spl/instructions/set-compute-unit-price.ts';
import { COMPUTE_BUDGET_PROGRAM } from '../protocol/spl/programs.ts';
import type { Build, BuildContext, ComputeBudget, LookupTable } from './build.ts';
import { guardBuild } from './guards/guard-build.ts';
import { type BuildStep, createPlan, type PlanDescription } from './plan.ts';
import { selectTransactionLookupTables } from './transaction-lookup-tables.ts';

export type BuildDraft = {
  readonly wallet: Address;
  readonly steps: readonly BuildStep[];
  readonly told: PlanDescription;
  /** Those that may help, the one to look in first first. */
  readonly tables: readonly LookupTable[];
  readonly budget: ComputeBudget;
};

/** Where every builder ends: nothing leaves here that breaks a rule of what we may build. */
export function assembleBuild(draft: BuildDraft, scene: BuildContext): Build {
  const { wallet, told } = draft;
  const steps = [...budgetSteps(draft.budget), ...draft.steps];
  const instructions = steps.map(({ instruction }) => instruction);
  guardBuild({ wallet, instructions }, scene);
  const tables = selectTransactionLookupTables(draft.tables, instructions, wallet);
  return { wallet, instructions, tables, plan: createPlan(steps, told) };
}

function budgetSteps({ computeUnitLimit, computeUnitPrice }: ComputeBudget): BuildStep[] {
  const steps: BuildStep[] = [];
  if (computeUnitLimit !== undefined) {
    const args = { units: computeUnitLimit };
    const instruction = setComputeUnitLimit.build(COMPUTE_BUDGET_PROGRAM, { accounts: {}, args });
    steps.push({ instruction, why: `Allow ${computeUnitLimit} compute units, as asked.` });
  }
  if (computeUnitPrice !== undefined) {
    const args = { microLamports: computeUnitPrice };
    const instruction = setComputeUnitPrice.build(COMPUTE_BUDGET_PROGRAM, { accounts: {}, args });
    const why = `Offer ${computeUnitPrice} millionths of a lamport for each unit, as asked.`;
    steps.push({ instruction, why });
  }
  return steps;
}
