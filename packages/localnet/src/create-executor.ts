import { NEWEST_RULES, namesReleases, rulesOfReleases } from '@tidegate/core/protocol/releases';
import { modelPrograms } from './programs/model-programs.ts';
import type { Executor } from './runtime/transactions/executor.ts';
import { createModelExecutor } from './runtime/transactions/model-executor.ts';

/** The built-in model of the newest programs, of releases such as `klend@1.16`, or the binaries in a folder. */
export async function createExecutor(programs: string): Promise<Executor> {
  if (programs === '' || namesReleases(programs)) {
    const rules = programs === '' ? NEWEST_RULES : rulesOfReleases(programs);
    return createModelExecutor(modelPrograms(rules), rules);
  }
  const { createSvmExecutor } = await import('./runtime/transactions/svm-executor.ts');
  return createSvmExecutor(programs);
}
