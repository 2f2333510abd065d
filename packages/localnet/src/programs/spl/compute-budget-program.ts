import type { Program } from '../../runtime/program.ts';

/** Nodes read its instructions before a transaction runs; running them does nothing. */
export const computeBudgetProgram: Program = {
  isBuiltin: true,
  unitsOf: () => 150,
  run: () => undefined,
};
