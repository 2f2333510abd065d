import { spawnSync } from 'node:child_process';
import { childCpuSeconds } from './child-cpu.ts';
import type { StageRow } from './stage-table.ts';

/** Runs a command that has no tests as a stage. */
export function runCommand(name: string, command: string, args: readonly string[]): StageRow {
  const startedAt = performance.now();
  const cpuBefore = childCpuSeconds();
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  const seconds = (performance.now() - startedAt) / 1000;
  return { name, isPassed: status === 0, seconds, cpuSeconds: childCpuSeconds() - cpuBefore };
}
