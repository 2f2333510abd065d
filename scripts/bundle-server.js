import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { licensesOf } from './package-licenses.js';
import { replaceFiles } from './replace-files.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const TARGET = 'packages/server/dist/bundle/node';

/** Packages with binaries, which Node.js loads as they are, and optional ones that are not installed or never loaded. */
const EXTERNAL = [
  '@electric-sql/*',
  'litesvm',
  '@grpc/proto-loader',
  'bufferutil',
  'utf-8-validate',
  'pg-cloudflare',
  'pg-native',
];

/** CommonJS packages load Node's own modules with `require`. */
const REQUIRE =
  "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);";

/**
 * Joins the compiled modules of the program into a few files. Node.js needs two seconds of CPU to
 * load more than a thousand files, and loads them again for the thread of the embedded cluster.
 * Modules find files of the package by `../../../`, so the bundle is three folders deep as well.
 */
export async function bundleServer() {
  const { build } = await import('esbuild');
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [
      'packages/server/dist/cli/main.js',
      'packages/server/dist/composition/localnet/simulation-main.js',
      'packages/server/dist/proof/proof-worker.js',
      'packages/localnet/dist/localnet-worker.js',
    ],
    entryNames: '[name]',
    outdir: TARGET,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: EXTERNAL,
    banner: { js: REQUIRE },
    // the maps of the modules would be larger than the code
    sourcemap: false,
    logLevel: 'warning',
    metafile: true,
    write: false,
  });
  const licenses = licensesOf(root, Object.keys(metafile.inputs));
  const folder = join(root, TARGET);
  replaceFiles(folder, [
    { name: 'LICENSES.txt', contents: licenses },
    // entries last: they name the files that they need
    ...outputFiles
      .toSorted((a, b) => Number(isEntry(a)) - Number(isEntry(b)))
      .map(({ path, contents }) => ({ name: relative(folder, path), contents })),
  ]);
}

/** The names of the other files contain a hash of their contents. */
const isEntry = ({ path }) => !/-[A-Z0-9]{8}\.js$/.test(path);

export const isBundled = () => existsSync(new URL(`../${TARGET}/main.js`, import.meta.url));
