import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { replaceFiles } from './replace-files.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const PACKAGE = join(root, 'packages/explorer');
const TARGET = join(root, 'packages/server/dist/explorer');
/** Written last: it names the other files. */
const ENTRY = 'index.html';

/** Builds the explorer into the server's `dist` if a source is newer, in about a second. */
export async function buildExplorerIfStale() {
  const builtAt = modifiedAt(join(TARGET, ENTRY));
  if (sources().some((file) => modifiedAt(file) > builtAt)) await buildExplorer();
}

async function buildExplorer() {
  const { build } = await import('vite');
  const { output } = await build({ configFile: join(PACKAGE, 'vite.config.ts') });
  const files = await Promise.all(output.map(withCompressedForms));
  replaceFiles(
    TARGET,
    files.flat().toSorted((a, b) => Number(a.name === ENTRY) - Number(b.name === ENTRY)),
  );
}

const brotli = promisify(brotliCompress);
const COMPRESSIBLE = /\.(css|js|svg)$/;

/** The server sends files as they are, so their compressed forms are made here. */
async function withCompressedForms(output) {
  const contents = Buffer.from(output.type === 'chunk' ? output.code : output.source);
  const name = output.fileName;
  const file = { name, contents };
  if (!COMPRESSIBLE.test(name)) return [file];
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: contents.length };
  return [
    file,
    { name: `${name}.br`, contents: await brotli(contents, { params }) },
    { name: `${name}.gz`, contents: await promisify(gzip)(contents, { level: 9 }) },
  ];
}

function sources() {
  const inFolder = readdirSync(join(PACKAGE, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .map((entry) => join(entry.parentPath, entry.name));
  const others = ['index.html', 'favicon.svg', 'package.json', 'tsconfig.json', 'vite.config.ts'];
  return [...inFolder, ...others.map((name) => join(PACKAGE, name)), join(root, 'tsconfig.json')];
}

function modifiedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

// `npm run build` of the explorer runs this file
if (process.argv[1] === fileURLToPath(import.meta.url)) await buildExplorerIfStale();
