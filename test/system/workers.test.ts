import { Agent, get as httpGet, type IncomingHttpHeaders } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import { hasSignatureOf, startHookReceiver } from '../support/hooks/hook-receiver.ts';
import { createTestKey, readDemo } from '../support/hooks/served-demo.ts';
import { callControl } from '../support/localnet/sandbox-reads.ts';
import {
  type RunningServer,
  runTidegate,
  simulatedDataDir,
  startServer,
  temporaryFolder,
  waitUntilReady,
} from '../support/processes/run-tidegate.ts';
import { fileScope } from '../support/processes/test-scope.ts';
import { waitUntil } from '../support/waiting/wait-until.ts';

const onEnd = fileScope();
let dataDir: string;
let server: RunningServer;

beforeAll(async () => {
  dataDir = temporaryFolder(onEnd);
  const env = { DATA_DIR: dataDir, WORKERS: '2', WEBHOOK_PRIVATE_ADDRESSES: 'true' };
  server = await startServer(env, onEnd);
  await waitUntilReady(server.url);
  await readyWorkers(2);
});

type Answer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

/** On a connection of its own, so that the workers take turns. */
async function get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { agent: new Agent(), headers: { connection: 'close', ...headers } };
    httpGet(`${server.url}${path}`, options, (response) => {
      const { statusCode: status = 0, headers: received } = response;
      readText(response).then((body) => resolve({ status, headers: received, body }), reject);
    }).once('error', reject);
  });
}

/** Process ids of the workers, by number. A later one replaces an earlier one. */
function workerPids({ out }: RunningServer): Map<number, number> {
  const lines = out()
    .split('\n')
    .filter((line) => line.includes('started a worker'));
  return new Map(lines.map((line) => JSON.parse(line)).map(({ worker, pid }) => [worker, pid]));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Waits until a number of workers are ready, by their metrics. */
async function readyWorkers(count: number): Promise<void> {
  const read = async () =>
    (await get('/metrics')).body.match(/^tidegate_ready\{worker="\d"\} 1$/gm);
  const areReady = async () => (await read().catch(() => null))?.length === count;
  await waitUntil(areReady, `${count} workers are ready`);
}

const times = <Value>(count: number, value: () => Promise<Value>): Promise<Value[]> =>
  Promise.all(Array.from({ length: count }, value));

test('the workers serve the same present', async () => {
  const bySlot = new Map<string, Set<string>>();
  await expect
    .poll(async () => {
      for (const { status, headers, body } of await times(6, () => get('/kvaults/vaults'))) {
        expect(status).toBe(200);
        const slot = String(headers['x-slot']);
        bySlot.set(slot, (bySlot.get(slot) ?? new Set()).add(body));
      }
      return bySlot.size;
    })
    .toBeGreaterThan(2);
  for (const bodies of bySlot.values()) expect(bodies.size).toBe(1);
  const { body: metrics } = await get('/metrics');
  for (const worker of [1, 2]) {
    expect(metrics).toMatch(
      new RegExp(
        `_count\\{worker="${worker}",method="GET",route="/kvaults/vaults",status="200"\\}`,
      ),
    );
  }
  // only the primary process records
  expect(metrics.match(/^tidegate_history_event_slot\{worker="\w+"/gm)).toEqual([
    'tidegate_history_event_slot{worker="primary"',
  ]);
  expect(metrics.match(/^# TYPE tidegate_slot /gm)).toHaveLength(1);
});

test('the workers serve the same history of the embedded database', async () => {
  const [market] = JSON.parse((await get('/v2/svc-market')).body);
  const path = `/svc-market/${market.lendingMarket}/metrics/history`;
  const instant = (msAgo: number) => new Date(Date.now() - msAgo).toISOString();
  const range = `?frequency=hour&start=${instant(20 * 3_600_000)}&end=${instant(4 * 3_600_000)}`;
  const answers = await times(6, () => get(`${path}${range}`));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  expect(answers[0]?.body.match(/"timestamp"/g)?.length).toBeGreaterThan(10);
});

test('a key and its limit are those of all workers', async () => {
  const created = await runTidegate(['keys', 'create', '--limit', '15/1h'], { DATA_DIR: dataDir });
  const headers = { 'x-api-key': created.out.trim() };
  // costs nothing
  const known = async () => (await times(6, () => get('/health', headers))).map((a) => a.status);
  await expect.poll(known).toEqual(new Array(6).fill(200));
  const answers = await times(24, () => get('/slots/duration', headers));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(15);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(9);
});

test('a webhook that a worker creates is delivered by the primary process', async () => {
  const { received, url } = await startHookReceiver();
  const TIDEGATE_API_KEY = await createTestKey(dataDir);
  const { wallet } = await readDemo(server);
  const hooks = (...args: string[]) =>
    runTidegate(['hooks', ...args, '--url', server.url], { DATA_DIR: dataDir, TIDEGATE_API_KEY });
  await expect.poll(async () => (await hooks('list')).code).toBe(0);
  const added = await hooks('add', url, '--type', 'walletTransactions', '--wallet', wallet);
  const [id = '', secret = ''] = added.out.split('\n');
  expect((await hooks('test', id)).out).toContain('was delivered: 204');
  expect(received.map((each) => hasSignatureOf(each, secret))).toEqual([true]);
  expect((await hooks('remove', id)).code).toBe(0);
});

test('an upgrade of a program is named by all workers, in the log and by a webhook', async () => {
  const { received, url } = await startHookReceiver();
  const TIDEGATE_API_KEY = await createTestKey(dataDir);
  const hooks = (...args: string[]) =>
    runTidegate(['hooks', ...args, '--url', server.url], { DATA_DIR: dataDir, TIDEGATE_API_KEY });
  await expect.poll(async () => (await hooks('list')).code).toBe(0);
  const added = await hooks('add', url, '--type', 'programUpgraded', '--program', 'farms');
  expect(added.code).toBe(0);
  const { rpcUrl } = await readDemo(server);
  const { result } = await callControl(rpcUrl, 'tidegate_upgradeProgram', ['farms', '1.4']);
  const { slot } = result as { slot: number };
  const seen = {
    program: 'farms',
    release: '1.4',
    rules: '1.4',
    deploySlot: `${slot}`,
    upgrades: 1,
  };
  await expect
    .poll(async () => {
      const answers = await times(6, () => get('/status'));
      const farms = answers.map(({ body }) => JSON.parse(body).clusters[0].programs[2]);
      return farms.every((each) => each.rules === '1.4') ? farms : [];
    })
    .toEqual(new Array(6).fill(expect.objectContaining(seen)));
  await waitUntil(async () => received.length === 1, 'the upgrade is delivered');
  expect(received[0]?.payload).toMatchObject({
    type: 'program.upgraded',
    data: { program: 'farms', release: '1.4', unknownSince: null, deploySlot: `${slot}` },
  });
  const line = server
    .out()
    .split('\n')
    .find((each) => each.includes('a program was upgraded'));
  expect(JSON.parse(line ?? '{}')).toMatchObject({ program: 'farms', release: '1.4' });
});

test('a worker that is killed comes back, and the others go on', async () => {
  const killed = workerPids(server).get(1) ?? 0;
  process.kill(killed, 'SIGKILL');
  await expect.poll(() => isRunning(killed)).toBe(false);
  expect((await times(4, () => get('/kvaults/vaults'))).map(({ status }) => status)).toEqual(
    new Array(4).fill(200),
  );
  await expect.poll(() => workerPids(server).get(1)).not.toBe(killed);
  await readyWorkers(2);
  const statuses = (await times(6, () => get('/kvaults/vaults'))).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test('SIGTERM ends all processes, and so does the end of the primary process', async () => {
  const env = { DATA_DIR: temporaryFolder(), WORKERS: '2' };
  const stopped = await startServer(env);
  const pids = [...workerPids(stopped).values()];
  expect(pids).toHaveLength(2);
  stopped.process.kill('SIGTERM');
  expect((await stopped.finished).code).toBe(0);
  expect(pids.map(isRunning)).toEqual([false, false]);

  const killed = await startServer(env);
  const others = [...workerPids(killed).values()];
  expect(others).toHaveLength(2);
  killed.process.kill('SIGKILL');
  await killed.finished.catch(() => undefined);
  await expect.poll(() => others.map(isRunning)).toEqual([false, false]);
});

test('a port that is in use is one line', async () => {
  const { createServer } = await import('node:http');
  const other = createServer().listen(0, '127.0.0.1');
  onEnd(() => void other.close());
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as { port: number };
  const env = { DATA_DIR: await simulatedDataDir(), WORKERS: '2', PORT: `${port}` };
  const { code, err } = await runTidegate(['serve'], env);
  expect([code, err.split('\n').slice(-2)[0]]).toEqual([
    1,
    expect.stringContaining(`127.0.0.1:${port} is already in use`),
  ]);
});
