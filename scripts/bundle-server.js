import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const TARGET = 'packages/server/dist/bundle/node';

/** Packages with binaries, worker threads or CommonJS, which Node.js loads as they are. */
const EXTERNAL = [
  '@electric-sql/*',
  'fast-json-stringify',
  'fastify',
  'litesvm',
  'pg',
  'pino',
  'ws',
];

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
      'packages/server/dist/cli/clusters/simulation-main.js',
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
    // the maps of the modules would be larger than the code
    sourcemap: false,
    logLevel: 'warning',
    metafile: true,
    write: false,
  });
  const licenses = licensesOf(Object.keys(metafile.inputs));
  const folder = join(root, TARGET);
  mkdirSync(folder, { recursive: true });
  replaceFiles(folder, [
    { path: join(folder, 'LICENSES.txt'), contents: licenses },
    // entries last: they name the files that they need
    ...outputFiles.toSorted((a, b) => Number(isEntry(a)) - Number(isEntry(b))),
  ]);
}

/** The names of the other files contain a hash of their contents. */
const isEntry = ({ path }) => !/-[A-Z0-9]{8}\.js$/.test(path);

/** A running program may still load a file of the bundle that it was started from. */
const OLD_MS = 3_600_000;

/** Another process may load the bundle or build it at the same time, so each file is replaced as a whole. */
function replaceFiles(folder, files) {
  for (const { path, contents } of files) {
    const unfinished = `${path}.${process.pid}`;
    writeFileSync(unfinished, contents);
    renameSync(unfinished, path);
  }
  const names = new Set(files.map(({ path }) => basename(path)));
  for (const name of readdirSync(folder).filter((each) => !names.has(each))) {
    const modifiedAt = statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (modifiedAt < Date.now() - OLD_MS) rmSync(join(folder, name), { force: true });
  }
}

/** The license texts of the packages that the bundle contains. */
function licensesOf(files) {
  const folders = files.flatMap(
    (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [],
  );
  return [...new Set(folders)]
    .sort()
    .map((folder) => {
      const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
      const license = readdirSync(join(root, folder)).find((file) => /^licen[cs]e/i.test(file));
      if (license === undefined) throw new Error(`${name} has no license file`);
      return `${name}\n\n${readFileSync(join(root, folder, license), 'utf8').trim()}\n`;
    })
    .join('\n\n');
}

export const isBundled = () => existsSync(new URL(`../${TARGET}/main.js`, import.meta.url));
