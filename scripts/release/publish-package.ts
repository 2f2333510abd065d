import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

type PackedFile = { readonly path: string; readonly size: number };

type PackedPackage = {
  readonly name: string;
  readonly version: string;
  readonly files: readonly PackedFile[];
  readonly unpackedSize: number;
};

/** A file that users do not need. */
const UNNEEDED = /\.test\.|(^|\/)(src|test|node_modules|coverage)\/|\.tsbuildinfo$|(^|\/)\.(?!$)/;
const REQUIRED = ['package.json', 'README.md', 'LICENSE'];
const MAX_UNPACKED_BYTES = 40 * 1024 * 1024;

/** What npm says because nobody is logged in, and nobody has to be. */
const EXPECTED_WARNING = /requires you to be logged in/;

/**
 * Runs `npm publish --dry-run` for a built package and returns what is wrong with it. Needs no network and no login. The settings of
 * the user do not count.
 */
export async function checkPublish(root: string, folder: string): Promise<string[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'tidegate-publish-'));
  const userconfig = join(scratch, 'npmrc');
  writeFileSync(userconfig, '');
  const flags = ['--dry-run', '--json', '--ignore-scripts', '--offline', '--fetch-retries=0'];
  const own = [`--userconfig=${userconfig}`, `--workspace=${folder}`];
  try {
    const { stdout, stderr } = await run('npm', ['publish', ...flags, ...own], {
      cwd: root,
      env: environment(),
      maxBuffer: 64 * 1024 * 1024,
    });
    return [...warningsIn(stderr), ...contentProblems(parsePacked(stdout))].map(
      (problem) => `${folder}: ${problem}`,
    );
  } catch (error) {
    return [`${folder}: npm publish --dry-run fails: ${String(error)}`];
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** npm passes its settings to the scripts that it runs; a check must not depend on them. */
function environment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  return Object.fromEntries(entries);
}

export function warningsIn(output: string): string[] {
  return output
    .split('\n')
    .filter((line) => /^npm (warn|error)\b/i.test(line) && !EXPECTED_WARNING.test(line));
}

/** With `--workspace` the object is below the name of the package. */
function parsePacked(output: string): PackedPackage {
  const parsed = JSON.parse(output) as Record<string, unknown>;
  const packed = 'files' in parsed ? parsed : Object.values(parsed)[0];
  return packed as PackedPackage;
}

export function contentProblems({ files, unpackedSize }: PackedPackage): string[] {
  const paths = files.map(({ path }) => path);
  const missing = REQUIRED.filter((path) => !paths.includes(path));
  const unneeded = paths.filter((path) => UNNEEDED.test(path));
  return [
    ...missing.map((path) => `${path} is not in the package`),
    ...unneeded.slice(0, 5).map((path) => `${path} is in the package, but users do not need it`),
    ...(paths.some((path) => path.startsWith('dist/')) ? [] : ['it is not built']),
    ...(unpackedSize <= MAX_UNPACKED_BYTES ? [] : [`it has ${unpackedSize} bytes`]),
  ];
}
