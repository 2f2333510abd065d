import { appendFileSync } from 'node:fs';

/** One line of the table that `npm run bench -- costs` prints. */
export type Cost = {
  readonly work: string;
  readonly measured: string;
  readonly budget: string;
  readonly isWithinBudget: boolean;
};

/** Prints a measured cost, and adds it to the table if this benchmark runs as part of `costs`. */
export function reportCost(cost: Cost): void {
  const { work, measured, budget, isWithinBudget } = cost;
  console.log(`${work}: ${measured} (budget ${budget}${isWithinBudget ? '' : ', EXCEEDED'})`);
  const file = process.env['BENCH_COSTS_FILE'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(cost)}\n`);
}
