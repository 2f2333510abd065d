import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyMutation } from './mutation.ts';
import type { MutantResult } from './try-mutant.ts';

const ERROR = /^(\S+?)\((\d+),\d+\): error /gm;
/** An error may be reported some lines after the change. */
const NEAR_LINES = 3;

/**
 * Marks the mutants that no test found but the type checker does. All are applied at once, because a check takes a
 * minute; the positions of the errors show which ones it rejects.
 */
export function checkTypes(copy: string, results: readonly MutantResult[]): MutantResult[] {
  const missed = results.filter(({ result }) => result === 'survived' || result === 'unreached');
  if (missed.length === 0) return [...results];
  // from the end of a file, so that the offsets of the others stay correct
  for (const mutant of missed.toSorted((a, b) => b.start - a.start)) {
    const path = join(copy, mutant.file);
    writeFileSync(path, applyMutation(readFileSync(path, 'utf8'), mutant));
  }
  const hasExplorer = missed.some((mutant) => mutant.package === 'explorer');
  const projects = hasExplorer ? ['.', 'packages/explorer'] : ['.'];
  const errors = projects.flatMap((project) => typeErrors(copy, project));
  const isRejected = (mutant: MutantResult): boolean =>
    errors.some(
      ({ file, line }) => file === mutant.file && Math.abs(line - mutant.line) <= NEAR_LINES,
    );
  return results.map((result) =>
    missed.includes(result) && isRejected(result) ? { ...result, result: 'types' } : result,
  );
}

function typeErrors(copy: string, project: string) {
  const { stdout } = spawnSync(
    process.execPath,
    ['node_modules/typescript/bin/tsc', '--noEmit', '--pretty', 'false', '-p', project],
    { cwd: copy, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  return [...stdout.matchAll(ERROR)].map(([, file = '', line]) => ({ file, line: Number(line) }));
}
