import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/*
 * Starts two writers and two API processes without containers, until SIGINT or SIGTERM:
 *
 *   DATABASE_URL=postgres://… REDIS_URL=redis://… RPC_URL=https://… npx tsx scripts/start-topology.ts
 *
 * Other settings are passed on. --port N: the API listens on N and N+1 (default 8081), the writers on N+10 and N+11.
 * --data-dir DIR: parent of the data folders (default .tidegate/topology).
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8081' },
    'data-dir': { type: 'string', default: '.tidegate/topology' },
  },
});
const program = fileURLToPath(new URL('../packages/server/bin/tidegate.js', import.meta.url));
const READY_POLL_MS = 500;

type Role = { readonly command: 'index' | 'api'; readonly name: string; readonly port: number };
type Running = Role & { readonly child: ChildProcess };

const firstPort = Number(values.port);
const roles: readonly Role[] = [
  { command: 'index', name: 'index-1', port: firstPort + 10 },
  { command: 'index', name: 'index-2', port: firstPort + 11 },
  { command: 'api', name: 'api-1', port: firstPort },
  { command: 'api', name: 'api-2', port: firstPort + 1 },
];

await startTopology();

async function startTopology(): Promise<void> {
  for (const name of ['DATABASE_URL', 'REDIS_URL', 'RPC_URL']) {
    if (!process.env[name]) throw new Error(`Set ${name}.`);
  }
  const running = roles.map(start);
  const stop = () => {
    for (const { child } of running) child.kill('SIGTERM');
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const exits = running.map(async ({ name, child }) => {
    const [code, signal] = await once(child, 'exit');
    console.error(`${name} exited (${code ?? signal})`);
    if (code !== 0) process.exitCode = 1;
  });
  const apis = running.filter(({ command }) => command === 'api');
  const ready = Promise.all(apis.map(waitUntilReady));
  await Promise.race([ready, Promise.all(exits)]);
  await Promise.all(exits);
}

function start(role: Role): Running {
  const { command, name, port } = role;
  const dataDir = join(values['data-dir'], command);
  mkdirSync(dataDir, { recursive: true });
  const child = spawn(process.execPath, ['--v8-pool-size=1', program, command], {
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  console.error(`${name}: process ${child.pid}, port ${port}`);
  return { ...role, child };
}

async function waitUntilReady({ name, port, child }: Running): Promise<void> {
  while (child.exitCode === null) {
    const response = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => undefined);
    if (response?.ok) {
      console.error(`${name} is ready at http://127.0.0.1:${port}`);
      return;
    }
    await sleep(READY_POLL_MS);
  }
}
