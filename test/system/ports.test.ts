import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import {
  runTidegate,
  simulatedDataDir,
  startServer,
  startSimulation,
  temporaryFolder,
} from '../support/processes/run-tidegate.ts';

/** Standard error without progress lines, which a slow machine may print. */
const withoutProgress = (err: string): string =>
  err.replaceAll(/^(?:\w+ .*: \d+ % \(.*\)|Tidegate is starting at .*)\n/gm, '');

test('a port in use fails the start with one line', async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void blocker.close());
  await new Promise((resolve) => blocker.once('listening', resolve));
  const { port } = blocker.address() as { port: number };
  const env = { DATA_DIR: await simulatedDataDir() };
  const { code, err } = await runTidegate(['serve', '--port', String(port)], env);
  expect(code).toBe(1);
  expect(withoutProgress(err)).toBe(
    `tidegate: 127.0.0.1:${port} is already in use. Stop the process that listens there, or set PORT to another port (0 selects a free one).\n`,
  );
});

/** A port that is free, as is the next one. */
async function freePortPair(): Promise<number> {
  for (;;) {
    const first = createServer().listen(0, '127.0.0.1');
    await once(first, 'listening');
    const { port } = first.address() as { port: number };
    const second = createServer().listen(port + 1, '127.0.0.1');
    const isFree = await once(second, 'listening').then(
      () => true,
      () => false,
    );
    await new Promise((resolve) => first.close(resolve));
    if (isFree) await new Promise((resolve) => second.close(resolve));
    if (isFree) return port;
  }
}

/** Takes a port, unless another process has it. */
async function takePort(port: number): Promise<void> {
  const blocker = createServer().listen(port, '127.0.0.1');
  // the next test takes the same port: it has to be free by then
  onTestFinished(() => new Promise<void>((resolve) => void blocker.close(() => resolve())));
  await once(blocker, 'listening').catch(() => undefined);
}

test.each(['1', '2'])(
  'default ports that are in use give way to free ones, with WORKERS=%s',
  async (WORKERS) => {
    await takePort(8080);
    await takePort(8900);
    const unset = { PORT: '', LOCALNET_RPC_PORT: '' };
    const { url, err } = await startServer({ ...unset, WORKERS });
    const { port } = new URL(url);
    expect(Number(port)).toBeGreaterThan(8080);
    expect(err()).toContain(`Port 8080 is in use: Tidegate uses port ${port}\n`);
    const status = await (await fetch(`${url}/status`)).json();
    const { demo } = status as {
      readonly demo: { readonly rpcUrl: string; readonly wsUrl: string };
    };
    const rpcPort = Number(new URL(demo.rpcUrl).port);
    const wsPort = Number(new URL(demo.wsUrl).port);
    expect([rpcPort > 8900, wsPort]).toEqual([true, rpcPort + 1]);
    expect(err()).toMatch(
      new RegExp(
        `^Port (8899|8900) is in use: the embedded cluster uses ports ${rpcPort} and ${wsPort} \\(WebSocket\\)$`,
        'm',
      ),
    );
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getSlot' });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(demo.rpcUrl, { method: 'POST', headers, body });
    expect(await response.json()).toMatchObject({ result: expect.any(Number) });
  },
);

test('a port of the cluster that is in use fails the start before the simulation', async () => {
  const rpcPort = await freePortPair();
  for (const blocked of [rpcPort, rpcPort + 1]) {
    const blocker = createServer().listen(blocked, '127.0.0.1');
    await once(blocker, 'listening');
    const env = { PORT: '0', LOCALNET_DAYS: '365', LOCALNET_RPC_PORT: `${rpcPort}` };
    const { code, err } = await runTidegate(['serve'], env);
    await new Promise((resolve) => blocker.close(resolve));
    expect(code).toBe(1);
    expect(err).not.toContain('Simulating');
    expect(err).toContain(
      `tidegate: LOCALNET_RPC_PORT is "${rpcPort}". It accepts a port N where N and N+1 are both free (${blocked} is in use), or 0 for any free port.\n`,
    );
  }
});

test('a server that simulates holds the ports of its cluster', async () => {
  const env = { LOCALNET_DAYS: '365', LOCALNET_RPC_PORT: `${await freePortPair()}` };
  await startSimulation(env);
  const { code, err } = await runTidegate(['serve'], { PORT: '0', ...env });
  expect([code, err.includes('Simulating history: 100 %')]).toEqual([1, false]);
  expect(err).toContain(`LOCALNET_RPC_PORT is "${env.LOCALNET_RPC_PORT}"`);
});

test('of two first starts in one folder, the second is one line and the first goes on', async () => {
  const DATA_DIR = temporaryFolder();
  const env = { DATA_DIR, PORT: '0', LOCALNET_DAYS: '365' };
  const first = await startSimulation(env);
  const { code, err } = await runTidegate(['serve'], env);
  expect([code, err]).toEqual([
    1,
    `tidegate: The data folder ${DATA_DIR}/localnet is in use by process ${first.process.pid}. Stop that process, or use another folder.\n`,
  ]);
  expect((await fetch(`${first.url}/health`)).status).toBe(200);
});
