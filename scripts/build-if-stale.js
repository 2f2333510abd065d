import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildExplorerIfStale } from './build-explorer.js';
import { buildGuidesIfStale } from './build-guides.js';
import { bundleServer, isBundled } from './bundle-server.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const configPath = join(root, 'tsconfig.json');
const PACKAGES = ['core', 'localnet', 'client', 'server'].map((name) =>
  join(root, 'packages', name),
);

/**
 * Transpiles the changed source files of every package to `dist`, bundles the program and the explorer and renders the
 * guides, without type checks, in about four seconds. `npm run check` checks types, `npm run build` writes declarations.
 */
export async function buildIfStale() {
  const configModifiedAt = modifiedAt(configPath);
  const stale = PACKAGES.flatMap(sourceFiles).filter(
    ({ source, target }) => modifiedAt(target) < Math.max(modifiedAt(source), configModifiedAt),
  );
  if (stale.length > 0) await transpile(stale);
  if (stale.length > 0 || !isBundled()) await bundleServer();
  await buildGuidesIfStale();
  await buildExplorerIfStale();
}

/** Relative imports name source files, which have other extensions when compiled. */
const SOURCE_IMPORT = /(\bfrom |\bimport |\bimport\()"(\.{1,2}\/[^"]*)\.ts"/g;

async function transpile(stale) {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: stale.map(({ source, target }) => ({ in: source, out: target.slice(0, -3) })),
    outdir: root,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  });
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text.replaceAll(SOURCE_IMPORT, '$1"$2.js"'));
  }
}

function sourceFiles(folder) {
  const sourceFolder = join(folder, 'src');
  return readdirSync(sourceFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((source) => ({
      source,
      target: join(folder, 'dist', relative(sourceFolder, source)).replace(/\.ts$/, '.js'),
    }));
}

function modifiedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

// `npm run build` of the server runs this file
if (process.argv[1] === fileURLToPath(import.meta.url)) await buildIfStale();
