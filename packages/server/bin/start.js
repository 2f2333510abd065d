import { existsSync } from 'node:fs';

// A clone contains the source and builds it if it changed. An installed package contains only `dist`.
if (existsSync(new URL('../src', import.meta.url))) {
  const { buildIfStale } = await import('../../../scripts/build-if-stale.js');
  await buildIfStale();
}
const { main } = await import('../dist/bundle/node/main.js');
process.exitCode = await main(process.argv.slice(2));
