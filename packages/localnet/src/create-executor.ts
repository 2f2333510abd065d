import { modelPrograms } from './programs/model-programs.ts';
import type { Executor } from './runtime/transactions/executor.ts';
import { createModelExecutor } from './runtime/transactions/model-executor.ts';

/** The built-in model of the programs, or the binaries in a folder if one is given. */
export async function createExecutor(programsFolder: string): Promise<Executor> {
  if (programsFolder === '') return createModelExecutor(modelPrograms());
  const { createSvmExecutor } = await import('./runtime/transactions/svm-executor.ts');
  return createSvmExecutor(programsFolder);
}
