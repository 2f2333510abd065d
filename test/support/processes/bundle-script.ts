import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { temporaryFolderPath } from './run-folder.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Bundles a script of this folder, which runs the compiled packages, into one file: a process that a
 * test starts several times then loads one file instead of hundreds. Modules of the server find its
 * files by `../../../`, which leads to a folder with a link to them.
 */
export async function bundleScript(name: string): Promise<string> {
  const folder = temporaryFolderPath('script-');
  symlinkSync(join(root, 'packages/server/dist'), join(folder, 'dist'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const outfile = join(folder, 'a/b/c', name);
  await build({
    entryPoints: [join(root, 'test/support/processes', name)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['@electric-sql/*', 'litesvm', 'pg', 'ws'],
    logLevel: 'warning',
  });
  return outfile;
}
