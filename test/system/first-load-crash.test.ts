import { expect, test } from 'vitest';
import {
  type RunningServer,
  startLocalnetProcess,
  startServerAsIs,
  temporaryFolder,
  waitUntilReady,
} from '../support/processes/run-tidegate.ts';
import { waitUntil } from '../support/waiting/wait-until.ts';

type Json = { readonly [name: string]: unknown };

async function read({ url }: RunningServer, path: string): Promise<Json> {
  return (await (await fetch(`${url}${path}`)).json()) as Json;
}

type ServedStatus = {
  readonly slot: string | null;
  readonly missing: readonly string[];
  readonly positionGaps: { readonly checkedSlot: string | null; readonly open: number };
};

async function statusOf(server: RunningServer): Promise<ServedStatus> {
  const { clusters } = await read(server, '/status');
  const [cluster] = clusters as readonly ServedStatus[];
  if (cluster === undefined) throw new Error('no cluster is served');
  return cluster;
}

/** When the process is killed: while it listens, while it reads accounts, and while it records what it has read. */
const MOMENTS = [
  async () => true,
  async (server: RunningServer) => {
    const { waitingFor } = await read(server, '/ready');
    return JSON.stringify(waitingFor ?? []).includes('loading,') || (await isReady(server));
  },
  (server: RunningServer) => isReady(server),
];

const isReady = async ({ url }: RunningServer): Promise<boolean> =>
  (await fetch(`${url}/ready`)).status === 200;

test('a server that is killed during the very first load starts whole again', async () => {
  const { rpcUrl, wsUrl, market, obligation, wallet } = await startLocalnetProcess();
  const DATA_DIR = temporaryFolder();
  const env = { RPC_URL: rpcUrl, WS_URL: wsUrl, CLUSTER: 'localnet', DATA_DIR };
  for (const [index, isReached] of MOMENTS.entries()) {
    const server = await startServerAsIs(env);
    await waitUntil(() => isReached(server), `moment ${index} of the first load`);
    server.process.kill('SIGKILL');
    await server.finished;
  }
  const server = await startServerAsIs(env);
  await waitUntilReady(server.url);
  const { missing } = await statusOf(server);
  expect(missing).toEqual([]);
  // the first load is recorded: every position has a state, and none a gap
  const checked = async () => (await statusOf(server)).positionGaps.checkedSlot !== null;
  await waitUntil(checked, 'all positions are compared');
  expect((await statusOf(server)).positionGaps.open).toBe(0);
  const loan = await read(server, `/klend/loans/${obligation}`);
  expect(loan['loanId']).toBe(obligation);
  const loans = await fetch(`${server.url}/svc-market/${market}/users/${wallet}/obligations`);
  expect(loans.headers.get('x-unproven')).toBeNull();
  expect(await loans.json()).toEqual(
    expect.arrayContaining([expect.objectContaining({ obligationAddress: obligation })]),
  );
});
