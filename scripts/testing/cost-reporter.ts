import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { childCpuSeconds } from './child-cpu.ts';

/** CPU seconds and number of tests of one test file. */
export type FileCost = {
  readonly file: string;
  readonly cpuSeconds: number;
  readonly tests: number;
};

/** CPU time of this process with all its threads, and of its ended children. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + childCpuSeconds();
}

/**
 * Writes what each test file costs to the file in TEST_COSTS. Only right with one worker: the CPU time of the process
 * between two files is that of the file.
 */
export default class CostReporter implements Reporter {
  readonly #costs: FileCost[] = [];
  #last = cpuSeconds();

  onTestModuleEnd(module: TestModule): void {
    const now = cpuSeconds();
    this.#costs.push({
      file: relative(process.cwd(), module.moduleId),
      cpuSeconds: now - this.#last,
      tests: [...module.children.allTests()].length,
    });
    this.#last = now;
    const file = process.env['TEST_COSTS'];
    if (file !== undefined) writeFileSync(file, JSON.stringify(this.#costs));
  }
}
