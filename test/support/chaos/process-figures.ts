import { readdirSync, readFileSync } from 'node:fs';

export type ProcessFigures = { readonly megabytes: number; readonly descriptors: number };

/** Resident memory and open descriptors of a process; undefined without `/proc` or if it has ended. */
export function readProcessFigures(pid: number): ProcessFigures | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kilobytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
    return {
      megabytes: Math.round(kilobytes / 1_024),
      descriptors: readdirSync(`/proc/${pid}/fd`).length,
    };
  } catch {
    return undefined;
  }
}
