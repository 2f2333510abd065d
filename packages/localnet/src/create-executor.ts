import { namesReleases } from '@tidegate/core/protocol/releases';
import { createReleaseExecutor } from './programs/release-executor.ts';
import type { Executor } from './runtime/transactions/executor.ts';

/**
 * The built-in model of the newest programs, of releases such as `klend@1.16`, also from slots on
 * (`klend@1.24,klend@1.25:440486775`), or the binaries in a folder.
 */
export async function createExecutor(programs: string): Promise<Executor> {
  if (programs === '' || namesReleases(programs)) return createReleaseExecutor(programs);
  const { createSvmExecutor } = await import('./runtime/transactions/svm-executor.ts');
  return createSvmExecutor(programs);
}
