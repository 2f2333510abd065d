import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { replaceFiles } from './replace-files.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const TARGET = 'packages/localnet/dist/bundle';

/**
 * Joins the compiled modules of a cluster for tests, with those of the core, into a few files, which an installed package
 * loads many times as fast (`start-localnet.ts`).
 */
export async function bundleLocalnet() {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['packages/localnet/dist/run-sandbox.js'],
    entryNames: '[name]',
    outdir: TARGET,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['@noble/hashes', 'litesvm', 'ws'],
    // half of the time is compiling, which depends on the length
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: 'warning',
    write: false,
  });
  const folder = join(root, TARGET);
  replaceFiles(
    folder,
    outputFiles.map(({ path, contents }) => ({ name: relative(folder, path), contents })),
  );
}

// `npm run build` of the package runs this file
if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleLocalnet();
