import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type FileResult = {
  /** Path in the repository. */
  readonly file: string;
  readonly hasPassed: boolean;
  /** The first test that failed. */
  readonly failedTest: string | undefined;
  readonly durationMs: number;
};

export type TestRun = {
  readonly outcome: 'passed' | 'failed' | 'timeout';
  readonly files: readonly FileResult[];
  /** The end of what it printed. */
  readonly output: string;
};

type RunOptions = {
  readonly files: readonly string[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
};

/** A part of the output of Vitest's reporter `json`. */
type JsonReport = {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
};

/** Tests are much faster with their databases in memory. */
const MEMORY_FOLDER = '/dev/shm';

/** Their temporary folders by process. */
const runs = new Map<number, string>();

/** Runs test files of the copy, and ends the run with its processes after the timeout. */
export async function runVitest(
  copy: string,
  { files, args = [], env = {}, timeoutMs }: RunOptions,
): Promise<TestRun> {
  const report = join(copy, 'mutation-run.json');
  rmSync(report, { force: true });
  const folder = mkdtempSync(
    join(existsSync(MEMORY_FOLDER) ? MEMORY_FOLDER : tmpdir(), 'tidegate-tests-'),
  );
  const child = spawn(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      ...['--reporter=json', `--outputFile=${report}`, ...args],
      ...files.map((file) => join(copy, file)),
    ],
    {
      cwd: copy,
      env: { ...process.env, TEST_RUN_FOLDER: folder, ...env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = `${output}${text}`.slice(-4000);
    });
  }
  const { pid } = child;
  if (pid === undefined) throw new Error('Vitest did not start');
  runs.set(pid, folder);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    endRun(pid);
  }, timeoutMs);
  const [code] = await once(child, 'exit');
  clearTimeout(timer);
  endRun(pid);
  const outcome = isLate ? 'timeout' : code === 0 ? 'passed' : 'failed';
  return { outcome, files: readReport(report, copy), output };
}

/** Ends the runs that have not ended, with the processes that their tests started. */
export function endRuns(): void {
  for (const pid of runs.keys()) endRun(pid);
}

function endRun(pid: number): void {
  const folder = runs.get(pid);
  if (folder === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // all of its processes have ended
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  runs.delete(pid);
}

function readReport(path: string, copy: string): FileResult[] {
  if (!existsSync(path)) return [];
  const { testResults } = JSON.parse(readFileSync(path, 'utf8')) as JsonReport;
  return testResults.map(({ name, status, startTime, endTime, assertionResults }) => ({
    file: name.replace(copy, ''),
    hasPassed: status === 'passed',
    failedTest: assertionResults.find((test) => test.status === 'failed')?.fullName,
    durationMs: Math.round(endTime - startTime),
  }));
}
