import type { Program } from '../../runtime/program.ts';

/** Nodes read these instructions before a transaction executes; executing them does nothing. */
export const computeBudgetProgram: Program = {
  isBuiltin: true,
  computeUnits: () => 150,
  run: () => undefined,
};
