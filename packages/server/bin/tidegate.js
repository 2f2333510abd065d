#!/usr/bin/env node
import { existsSync } from 'node:fs';

// A clone has its source beside it and is built when it has changed; an installed package has none.
if (existsSync(new URL('../src', import.meta.url))) {
  const { buildIfStale } = await import('../../../scripts/build-if-stale.js');
  await buildIfStale();
}
const { main } = await import('../dist/cli/main.js');
process.exitCode = await main(process.argv.slice(2));
