import { parseSize } from './arguments.ts';

/** A smoke run uses tiny sizes and has no thresholds: it shows that a benchmark still runs. */
export const isSmoke = process.env['BENCH_SMOKE'] === '1';

/** The size of a full run, or the size of a smoke run. */
export const sized = (full: number, smoke: number): number => (isSmoke ? smoke : full);

/** A size from the environment, or that of this run. */
export function sizeSetting(name: string, full: number, smoke: number): number {
  const text = process.env[name];
  return text === undefined ? sized(full, smoke) : parseSize(name, text);
}

/** Fails the process if a full run exceeds its budget. */
export function reportBudget(isWithinBudget: boolean): void {
  if (isSmoke) console.log('smoke run: sizes are tiny and the budget is not checked');
  process.exitCode = isSmoke || isWithinBudget ? 0 : 1;
}
