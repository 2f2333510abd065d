import { ChildProcess } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { threadId } from 'node:worker_threads';
import { createScriptCoverage } from './covered-ranges.ts';

/*
 * Runs in every thread of a run that collects coverage, including those of the processes that tests start. Records which
 * code of the packages the thread executes for the test file that is named in its environment.
 */

/** Often, because many tests kill their processes. */
const TAKE_EVERY_MS = 2000;

const FOLDER = 'MUTATION_COVERAGE_FOLDER';
const TEST_FILE = 'MUTATION_TEST_FILE';
const { MUTATION_COVERAGE_FOLDER: folder = '', MUTATION_ROOT: root = '' } = process.env;
const SCRIPT = /^packages\/(?:\w+\/dist|explorer\/src)\/.*(?<!\.test)\.[jt]sx?$/;

const scripts = new Map<string, ReturnType<typeof createScriptCoverage>>();
let session: Session | undefined;

function start(): void {
  if (session !== undefined) return;
  session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  setInterval(save, TAKE_EVERY_MS).unref();
  process.on('exit', save);
}

function save(): void {
  session?.post('Profiler.takePreciseCoverage', (_error, { result }) => {
    for (const { url, functions } of result) {
      const path = pathOf(url);
      if (path === undefined) continue;
      const script = scripts.get(path) ?? createScriptCoverage();
      scripts.set(path, script);
      script.add(functions);
    }
  });
  const testFile = process.env[TEST_FILE];
  if (testFile === undefined || scripts.size === 0) return;
  const ranges = Object.fromEntries([...scripts].map(([path, script]) => [path, script.ranges()]));
  const target = join(folder, `${process.pid}-${threadId}.json`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${target}.new`, JSON.stringify({ testFile, scripts: ranges }));
  renameSync(`${target}.new`, target);
}

function pathOf(url: string): string | undefined {
  const absolute = url.startsWith('file://') ? fileURLToPath(url) : url;
  const path = absolute.startsWith(root) ? absolute.slice(root.length) : '';
  return SCRIPT.test(path) ? path : undefined;
}

/** Tests that start a process often give it an environment of its own. */
function passOnToProcesses(): void {
  const prototype = ChildProcess.prototype as unknown as {
    spawn: (options: SpawnOptions) => unknown;
  };
  const { spawn } = prototype;
  prototype.spawn = function (options) {
    const { NODE_OPTIONS = '' } = process.env;
    const names = ['MUTATION_ROOT', FOLDER, TEST_FILE];
    const own = options.envPairs?.find((pair) => pair.startsWith('NODE_OPTIONS='));
    const others = options.envPairs?.filter((pair) => pair !== own) ?? [];
    const nodeOptions = own?.includes(NODE_OPTIONS)
      ? own
      : `${own ?? 'NODE_OPTIONS='} ${NODE_OPTIONS}`;
    const pairs = names.map((name) => `${name}=${process.env[name] ?? ''}`);
    return spawn.call(this, { ...options, envPairs: [...others, nodeOptions, ...pairs] });
  };
}

type SpawnOptions = { readonly envPairs?: readonly string[] };

/** A thread of Vitest learns later which file it runs. */
export const coverageHook = {
  startFor(testFile: string): void {
    process.env[TEST_FILE] = testFile;
    start();
  },
  save,
};

if (folder !== '') {
  Object.assign(globalThis, { mutationCoverageHook: coverageHook });
  passOnToProcesses();
  if (process.env[TEST_FILE]) start();
}
