import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { licensesOf } from './package-licenses.js';
import { replaceFiles } from './replace-files.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const SOURCE = 'packages/explorer';
/** The client of the API, which the explorer is bundled with. */
const CLIENT = 'packages/client';
const TARGET = 'packages/server/dist/explorer';
/** What the documentation alone has. */
const DOCS = `${SOURCE}/src/docs`;
/** Written last: it names the other files. */
const PAGE = 'index.html';
/** Folder of hashed files, and their path in the URL. */
const ASSETS = 'explorer';

/** Builds the explorer, and what the documentation shares with it, into the server's `dist` if a source is newer. */
export async function buildExplorerIfStale() {
  const builtAt = modifiedAt(join(root, TARGET, PAGE));
  if (sources().some((file) => modifiedAt(file) > builtAt)) await buildExplorer();
}

async function buildExplorer() {
  const { build } = await import('esbuild');
  const [theme, main, docs, styles, docsStyles, paths] = await Promise.all([
    bundleScript(build, 'frame/theme.ts', 'iife'),
    bundleScript(build, 'main.tsx'),
    bundleScript(build, 'docs/docs.ts'),
    bundleStyles(build, 'app.css', (file) => !file.startsWith(DOCS)),
    bundleStyles(build, 'docs.css', isDocsStyle),
    readPagePaths(build),
  ]);
  const favicon = hashed('favicon.svg', readFileSync(join(root, SOURCE, 'favicon.svg')));
  const scripts = [theme, main, docs];
  const assets = [...scripts, styles, docsStyles, favicon];
  const files = await Promise.all(assets.map(withCompressedForms));
  const shared = { theme, favicon };
  replaceFiles(join(root, TARGET), [
    ...files.flat(),
    {
      name: 'LICENSES.txt',
      contents: licensesOf(
        root,
        scripts.flatMap(({ inputs }) => inputs),
      ),
    },
    { name: 'page-paths.json', contents: JSON.stringify(paths) },
    { name: 'docs.html', contents: docsPageOf({ ...shared, script: docs, styles: docsStyles }) },
    { name: PAGE, contents: pageOf({ ...shared, script: main, styles }) },
  ]);
}

const shared = {
  absWorkingDir: root,
  alias: { '@tidegate/client': join(root, CLIENT, 'src/index.ts') },
  bundle: true,
  minify: true,
  write: false,
  logLevel: 'warning',
};

/** One file for all pages of a kind: together they are small, and every further file delays the first view. */
async function bundleScript(build, entry, format = 'esm') {
  const { outputFiles, metafile } = await build({
    ...shared,
    entryPoints: [`${SOURCE}/src/${entry}`],
    format,
    target: 'es2022',
    metafile: true,
    // all styles are in one file
    loader: { '.css': 'empty' },
  });
  const name = basename(entry).replace(/\.tsx?$/, '.js');
  return { ...hashed(name, outputFiles[0].contents), inputs: Object.keys(metafile.inputs) };
}

/** What the pages of the documentation use: the frame and their own. */
const isDocsStyle = (file) =>
  [DOCS, `${SOURCE}/src/frame`, `${SOURCE}/src/styles`].some((folder) => file.startsWith(folder)) &&
  !/(chart-colors|pulse)\.css$/.test(file);

/** Styles in one file, the general ones first. */
async function bundleStyles(build, name, isIncluded) {
  const own = sourceFiles(SOURCE)
    .map((file) => relative(root, file).replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.css') && isIncluded(file))
    .sort(
      (a, b) => Number(b.includes('/styles/')) - Number(a.includes('/styles/')) || (a < b ? -1 : 1),
    );
  const charts = isIncluded(`${SOURCE}/src/charts/`) ? ['uplot/dist/uPlot.min.css'] : [];
  const imports = [...charts, ...own.map((file) => `./${relative(SOURCE, file)}`)].map(
    (file) => `@import ${JSON.stringify(file)};`,
  );
  const { outputFiles } = await build({
    ...shared,
    stdin: { contents: imports.join('\n'), loader: 'css', resolveDir: join(root, SOURCE) },
  });
  return hashed(name, outputFiles[0].contents);
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

function pageOf({ theme, script, styles, favicon }) {
  return replaceParts(readFileSync(join(root, SOURCE, PAGE), 'utf8'), [
    ['./favicon.svg', `./${favicon.name}`],
    ['./src/frame/theme.ts', `./${theme.name}`],
    ['./src/main.tsx', `./${script.name}`],
    ['</head>', `  <link rel="stylesheet" href="./${styles.name}" />\n  </head>`],
  ]);
}

/**
 * The same frame for the documentation, whose text the server puts in the places of `<!--…-->`. It has no base, which would
 * break links within a page.
 */
function docsPageOf(files) {
  return replaceParts(pageOf(files), [
    [/ *<!-- the server replaces.*\n *<base .*\n/, ''],
    [/ *<!-- origin.*\n(.*)content="" \/>/, '$1content="./" />'],
    [/(name="description" content=)".*"/, '$1"<!--description-->"'],
    ['<title>Tidegate<', '<title><!--title--> · Tidegate<'],
    ['</head>', '  <!--head-->\n  </head>'],
    [
      '<li>\n            <a href="./docs/">',
      '<li>\n            <a href="./docs/" aria-current="page">',
    ],
    ['class="page-tools"></div>', 'class="page-tools"><!--tools--></div>'],
    [/<!-- page -->.*<!-- end of page -->/s, '<!--page-->'],
  ]);
}

function replaceParts(text, parts) {
  return parts.reduce((result, [part, replacement]) => {
    const isThere = typeof part === 'string' ? result.includes(part) : part.test(result);
    if (!isThere) throw new Error(`${PAGE} has no ${part}`);
    return result.replace(part, replacement);
  }, text);
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

function sourceFiles(folder) {
  return readdirSync(join(root, folder, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .map((entry) => join(entry.parentPath, entry.name));
}

function sources() {
  const others = ['index.html', 'favicon.svg', 'package.json', 'tsconfig.json'];
  return [
    ...sourceFiles(SOURCE),
    ...sourceFiles(CLIENT),
    ...others.map((name) => join(root, SOURCE, name)),
    fileURLToPath(import.meta.url),
  ];
}

function modifiedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

// `npm run build` of the explorer runs this file
if (process.argv[1] === fileURLToPath(import.meta.url)) await buildExplorerIfStale();
