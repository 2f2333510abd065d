import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { type Finding, ok, problem, warning } from './finding.ts';

/** Releases of Node.js that the tests run on. */
const TESTED_MAJORS = [20, 22, 24];
const MIN_MEMORY_BYTES = 400e6;
const LOW_MEMORY_BYTES = 1e9;
const MIN_OPEN_FILES = 1_024;
const LOW_OPEN_FILES = 4_096;

export function checkNode(version: string = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const change = `Use Node.js ${TESTED_MAJORS.join(', ')}.`;
  if (major < 20 || (major === 20 && minor < 19)) {
    return problem('node', `Node.js ${version} is too old`, change);
  }
  if (!TESTED_MAJORS.includes(major)) {
    return warning('node', `Node.js ${version} is not tested`, change);
  }
  return ok('node', `Node.js ${version}.`);
}

type Memory = {
  /** Of the machine or the container, whichever is less. */
  readonly bytes: number;
  readonly heapLimitBytes: number;
};

/** A limit of 0 or above the memory of the machine is none. */
export function readMemory(): Memory {
  const limit = process.constrainedMemory();
  const isLimited = limit > 0 && limit < totalmem();
  const { heap_size_limit: heapLimitBytes } = getHeapStatistics();
  return { bytes: isLimited ? limit : totalmem(), heapLimitBytes };
}

export function checkMemory({ bytes, heapLimitBytes }: Memory): Finding {
  const message = `The process may use ${megabytes(bytes)}, of which ${megabytes(heapLimitBytes)} for JavaScript`;
  const change = 'Raise the memory limit. docs/operations.md has the sizes.';
  if (bytes < MIN_MEMORY_BYTES) return problem('memory', message, change);
  if (bytes < LOW_MEMORY_BYTES) return warning('memory', message, change);
  if (heapLimitBytes > bytes) {
    const heap = 'Set NODE_OPTIONS=--max-old-space-size to less than the limit of the container.';
    return warning('memory', message, heap);
  }
  return ok('memory', `${message}.`);
}

/** Undefined where the system does not tell. */
export function readOpenFilesLimit(): number | undefined {
  try {
    const line = /^Max open files\s+(\d+|unlimited)/m.exec(
      readFileSync('/proc/self/limits', 'utf8'),
    );
    return line?.[1] === undefined || line[1] === 'unlimited' ? undefined : Number(line[1]);
  } catch {
    return undefined;
  }
}

/** Each connection is an open file. */
export function checkOpenFiles(limit: number | undefined): readonly Finding[] {
  if (limit === undefined) return [];
  const message = `The process may open ${limit} files`;
  const change = 'Raise it with ulimit -n, or LimitNOFILE of systemd.';
  if (limit < MIN_OPEN_FILES) return [problem('open files', message, change)];
  if (limit < LOW_OPEN_FILES) return [warning('open files', message, change)];
  return [ok('open files', `${message}.`)];
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
