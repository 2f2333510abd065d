import { afterAll, expect } from 'vitest';
import type { coverageHook } from './coverage-hook.ts';

/** A setup file of Vitest for a run that collects coverage, with each test file in a thread of its own. */
const { mutationCoverageHook: hook } = globalThis as unknown as {
  mutationCoverageHook: typeof coverageHook;
};
const { MUTATION_ROOT: root = '' } = process.env;

hook.startFor((expect.getState().testPath ?? '').replace(root, ''));
afterAll(hook.save);
