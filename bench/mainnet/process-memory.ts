import { readFileSync } from 'node:fs';

/** Resident memory of a process in megabytes, now and at its highest; NaN on systems other than Linux. */
export function readProcessMemory(pid: number): { readonly now: number; readonly peak: number } {
  if (process.platform !== 'linux') return { now: Number.NaN, peak: Number.NaN };
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1_024;
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}
