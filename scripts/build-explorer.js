import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { licensesOf } from './package-licenses.js';
import { replaceFiles } from './replace-files.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const SOURCE = 'packages/explorer';
const TARGET = 'packages/server/dist/explorer';
/** Written last: it names the other files. */
const PAGE = 'index.html';
/** Folder of hashed files, and their path in the URL. */
const ASSETS = 'explorer';

/** Builds the explorer into the server's `dist` if a source is newer. */
export async function buildExplorerIfStale() {
  const builtAt = modifiedAt(join(root, TARGET, PAGE));
  if (sources().some((file) => modifiedAt(file) > builtAt)) await buildExplorer();
}

async function buildExplorer() {
  const { build } = await import('esbuild');
  const [{ script, inputs }, styles, paths] = await Promise.all([
    bundleScript(build),
    bundleStyles(build),
    readPagePaths(build),
  ]);
  const favicon = hashed('favicon.svg', readFileSync(join(root, SOURCE, 'favicon.svg')));
  const assets = [script, styles, favicon];
  const files = await Promise.all(assets.map(withCompressedForms));
  replaceFiles(join(root, TARGET), [
    ...files.flat(),
    { name: 'LICENSES.txt', contents: licensesOf(root, inputs) },
    { name: 'page-paths.json', contents: JSON.stringify(paths) },
    { name: PAGE, contents: pageOf({ script, styles, favicon }) },
  ]);
}

const shared = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  write: false,
  logLevel: 'warning',
};

/** One file for all pages: together they are small, and every further file delays the first view. */
async function bundleScript(build) {
  const { outputFiles, metafile } = await build({
    ...shared,
    entryPoints: [`${SOURCE}/src/main.tsx`],
    format: 'esm',
    target: 'es2022',
    metafile: true,
    // all styles are in one file
    loader: { '.css': 'empty' },
  });
  return {
    script: hashed('main.js', outputFiles[0].contents),
    inputs: Object.keys(metafile.inputs),
  };
}

/** The styles of all components in one file, the general ones first. */
async function bundleStyles(build) {
  const own = sourceFiles()
    .filter((file) => file.endsWith('.css'))
    .sort(
      (a, b) => Number(b.includes('/styles/')) - Number(a.includes('/styles/')) || (a < b ? -1 : 1),
    );
  const imports = ['uplot/dist/uPlot.min.css', ...own].map(
    (file) => `@import ${JSON.stringify(file)};`,
  );
  const { outputFiles } = await build({
    ...shared,
    stdin: { contents: imports.join('\n'), loader: 'css', resolveDir: join(root, SOURCE) },
  });
  return hashed('app.css', outputFiles[0].contents);
}

/** The server answers navigation to these paths with the page. */
async function readPagePaths(build) {
  const { outputFiles } = await build({
    ...shared,
    entryPoints: [`${SOURCE}/src/routing/page-paths.ts`],
    format: 'esm',
  });
  const code = Buffer.from(outputFiles[0].contents).toString('base64');
  const { pagePaths } = await import(`data:text/javascript;base64,${code}`);
  return Object.values(pagePaths);
}

function hashed(name, contents) {
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 8).toUpperCase();
  return { name: `${ASSETS}/${name.replace('.', `-${hash}.`)}`, contents };
}

function pageOf({ script, styles, favicon }) {
  return readFileSync(join(root, SOURCE, PAGE), 'utf8')
    .replace('./favicon.svg', `./${favicon.name}`)
    .replace('./src/main.tsx', `./${script.name}`)
    .replace('</head>', `  <link rel="stylesheet" href="./${styles.name}" />\n  </head>`);
}

const COMPRESSIBLE = /\.(css|js|svg)$/;

/** The server sends files as they are, so their compressed forms are made here. */
async function withCompressedForms({ name, contents }) {
  if (!COMPRESSIBLE.test(name)) return [{ name, contents }];
  return [
    { name, contents },
    { name: `${name}.br`, contents: await promisify(brotliCompress)(contents) },
    { name: `${name}.gz`, contents: await promisify(gzip)(contents, { level: 9 }) },
  ];
}

function sourceFiles() {
  return readdirSync(join(root, SOURCE, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .map((entry) => join(entry.parentPath, entry.name));
}

function sources() {
  const others = ['index.html', 'favicon.svg', 'package.json', 'tsconfig.json'];
  return [
    ...sourceFiles(),
    ...others.map((name) => join(root, SOURCE, name)),
    fileURLToPath(import.meta.url),
  ];
}

function modifiedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

// `npm run build` of the explorer runs this file
if (process.argv[1] === fileURLToPath(import.meta.url)) await buildExplorerIfStale();
