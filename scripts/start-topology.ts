import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type RoleProcess, startRole, waitUntilRoleReady } from './topology/role-process.ts';

/*
 * Starts two writers and some API processes without containers, until SIGINT or SIGTERM:
 *
 *   DATABASE_URL=postgres://… REDIS_URL=redis://… RPC_URL=https://… npx tsx scripts/start-topology.ts
 *
 * Other settings are passed on. --apis N: number of API processes (default 2). --port N: they listen on N and the ports
 * after it (default 8081), the writers on N+10 and N+11. --data-dir DIR: parent of the data folders (default
 * .tidegate/topology).
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8081' },
    apis: { type: 'string', default: '2' },
    'data-dir': { type: 'string', default: '.tidegate/topology' },
  },
});
const MAX_APIS = 10;

await startTopology();

async function startTopology(): Promise<void> {
  for (const name of ['DATABASE_URL', 'REDIS_URL', 'RPC_URL']) {
    if (!process.env[name]) throw new Error(`Set ${name}.`);
  }
  const apis = Number(values.apis);
  if (!(apis >= 1 && apis <= MAX_APIS)) throw new Error(`--apis accepts 1 to ${MAX_APIS}.`);
  const running = [
    ...[1, 2].map((number) => start('index', number)),
    ...Array.from({ length: apis }, (_, i) => start('api', i + 1)),
  ];
  let isStopping = false;
  const stop = () => {
    isStopping = true;
    for (const { child } of running) child.kill('SIGTERM');
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const exits = running.map(async ({ name, exited }) => {
    const code = await exited;
    console.error(`${name} exited (${code})`);
    if (code !== 0) process.exitCode = 1;
    // a process that stops alone is an error, which the others must not hide
    if (!isStopping) stop();
  });
  for (const role of running) void announceReady(role);
  await Promise.all(exits);
}

function start(command: 'index' | 'api', number: number): RoleProcess {
  const port = Number(values.port) + (command === 'index' ? 9 : -1) + number;
  const name = `${command}-${number}`;
  const dataDir = join(values['data-dir'], command);
  const onOutput = (text: string) => process.stderr.write(text);
  const role = startRole({ command, name, port, dataDir, env: process.env, onOutput });
  console.error(`${name}: process ${role.child.pid}, port ${port}`);
  return role;
}

/** A standby is never ready. */
async function announceReady(role: RoleProcess): Promise<void> {
  const url = await waitUntilRoleReady(role).catch(() => undefined);
  if (url !== undefined) console.error(`${role.name} is ready at ${url}`);
}
