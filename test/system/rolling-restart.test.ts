import { describe, expect, test } from 'vitest';
import { ProxyLoad } from '../support/deploy/proxy-load.ts';
import { canStart, type ProxyName, startProxy } from '../support/deploy/proxy-process.ts';
import { findFreePort } from '../support/processes/free-port.ts';
import {
  type LocalnetAddresses,
  type RunningServer,
  startLocalnetProcess,
  startServerAsIs,
  waitUntilReady,
} from '../support/processes/run-tidegate.ts';

const CLIENTS = 4;
/** At least; the load goes on until the restarts are over. */
const REQUESTS = Number(process.env['RESTART_REQUESTS'] ?? 1_000);

type Node = Pick<LocalnetAddresses, 'rpcUrl' | 'wsUrl'>;

/** Follows the cluster of a node and records nothing, with the default drain. */
async function start(port: number, { rpcUrl, wsUrl }: Node): Promise<RunningServer> {
  const server = await startServerAsIs({
    ...{ RPC_URL: rpcUrl, WS_URL: wsUrl, CLUSTER: 'localnet', HISTORY: 'off' },
    ...{ PORT: String(port), DRAIN_SECONDS: '', RATE_LIMIT: 'off', TRUSTED_PROXIES: '127.0.0.1' },
    LOG_LEVEL: 'warn',
  });
  await waitUntilReady(server.url);
  return server;
}

async function loadRequests(url: string, { wallet, market }: LocalnetAddresses) {
  const reserves = `/kamino-market/${market}/reserves/metrics`;
  const [first] = (await (await fetch(`${url}${reserves}`)).json()) as {
    readonly reserve: string;
  }[];
  const body = { wallet, market, reserve: first?.reserve, amount: '0.01' };
  return [
    { path: '/tokens-api/tokens?limit=1' },
    { path: '/ktx/klend/deposit', body },
    { path: reserves },
  ];
}

const samples: readonly ProxyName[] = ['nginx', 'caddy', 'compose'];

describe.each(samples)('behind the sample for %s', (name) => {
  test.skipIf(!canStart(name))('a rolling restart loses no request, also no POST', async () => {
    const ports = [await findFreePort(), await findFreePort()] as const;
    const localnet = await startLocalnetProcess();
    const servers = [await start(ports[0], localnet), await start(ports[1], localnet)];
    const proxy = await startProxy(name, ports);
    const requests = await loadRequests(servers[0]?.url ?? '', localnet);
    const load = new ProxyLoad({ url: proxy.url, requests, clients: CLIENTS });
    await expect.poll(() => load.answered).toBeGreaterThan(100);
    for (const [index, server] of servers.entries()) {
      server.process.kill('SIGTERM');
      expect((await server.finished).code).toBe(0);
      await start(ports[index] ?? 0, localnet);
      // the proxy has found the new process before the other one ends
      const { answered } = load;
      await expect.poll(() => load.answered).toBeGreaterThan(answered + 100);
    }
    await expect.poll(() => load.answered).toBeGreaterThanOrEqual(REQUESTS);
    await load.stop();
    expect(load.lost, proxy.output()).toEqual([]);
  });
});
