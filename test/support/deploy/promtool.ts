import { spawnSync } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';

export const RULES = 'tidegate.rules.yml';
export const rulesFolder = fileURLToPath(new URL('../../../deploy/prometheus/', import.meta.url));
export const hasPromtool = (): boolean => spawnSync('promtool', ['--version']).status === 0;

/** Throws with the output of promtool. */
export function promtool(args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync('promtool', args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${stdout}\n${stderr}`);
  return stdout;
}

/** Runs tests of the rules in a folder for it. */
export function testRules(work: string, tests: readonly unknown[]): string {
  copyFileSync(join(rulesFolder, RULES), join(work, RULES));
  const file = { rule_files: [RULES], evaluation_interval: '30s', tests };
  writeFileSync(join(work, 'faults.yml'), stringify(file));
  return promtool(['test', 'rules', 'faults.yml'], work);
}
