import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const configPath = join(root, 'tsconfig.json');

/**
 * Brings `dist` up to date with the source, file by file. Only the types are taken off, which takes a
 * second; they are checked by `npm run check`, and `npm run build` makes the declarations.
 */
export async function buildIfStale() {
  const configured = modifiedAt(configPath);
  const stale = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((source) => ({ source, target: targetOf(source) }))
    .filter(({ source, target }) => modifiedAt(target) < Math.max(modifiedAt(source), configured));
  if (stale.length === 0) return;

  const { default: typescript } = await import('typescript');
  const { config } = typescript.readConfigFile(configPath, typescript.sys.readFile);
  const { options } = typescript.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const { ESNext: module } = typescript.ModuleKind;
  const compilerOptions = { ...options, module, inlineSourceMap: true, inlineSources: true };
  for (const { source, target } of stale) {
    const text = readFileSync(source, 'utf8');
    const { outputText } = typescript.transpileModule(text, { compilerOptions, fileName: source });
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, outputText);
  }
}

function targetOf(source) {
  return join(root, 'dist', relative(join(root, 'src'), source)).replace(/\.ts$/, '.js');
}

function modifiedAt(path) {
  return existsSync(path) ? statSync(path).mtimeMs : 0;
}
