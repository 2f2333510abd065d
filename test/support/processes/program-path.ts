import { fileURLToPath } from 'node:url';

/** The command-line program. It compiles the packages first if their sources changed. */
export const programPath = fileURLToPath(
  new URL('../../../packages/server/bin/tidegate.js', import.meta.url),
);

/** Speeds up the start of the embedded database: compiles WebAssembly once, without optimization. */
export const FAST_START = '--liftoff-only';
