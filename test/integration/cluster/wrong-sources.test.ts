import { expect, onTestFinished, test } from 'vitest';
import { checkResponses, responseSlot } from '../../support/clusters/response-checker.ts';
import {
  LONG_POLL,
  type ServedOptions,
  serveLocalnet,
  setVaultFee,
  VAULT_PATH,
  waitForServedSlot,
  waitUntilReady,
} from '../../support/clusters/served-cluster.ts';
import { type RewritingProxy, startRewritingProxy } from '../../support/fakes/rewriting-proxy.ts';
import type { RunningApi } from '../../support/http/test-api.ts';
import { startGoldenLocalnet } from '../../support/localnet/golden-localnet.ts';

type Status = {
  readonly clusters: readonly [
    {
      readonly endpoints: readonly { readonly healthy: boolean; readonly lastError: string }[];
      readonly alarms: readonly { readonly kind: string; readonly count: number }[];
    },
  ];
};

const statusOf = async ({ get }: RunningApi) => ((await get('/status')).body as Status).clusters[0];

const alarmOf = async (api: RunningApi, kind: string) =>
  (await statusOf(api)).alarms.find((alarm) => alarm.kind === kind)?.count ?? 0;

/** A served cluster whose first endpoint is behind a proxy; its WebSocket is the node's. */
async function setUp(options: ServedOptions & { readonly endpoints: 1 | 2 }) {
  const golden = await startGoldenLocalnet();
  const { wsUrl, rpcUrl } = golden;
  const proxy = await startRewritingProxy(rpcUrl);
  const second = options.endpoints === 2 ? [await golden.localnet.addNode(0)] : [];
  const nodes = [{ rpcUrl: proxy.rpcUrl, wsUrl }, ...second];
  const api = await serveLocalnet(golden, { ...options, nodes });
  await waitUntilReady(api);
  const checker = await checkResponses(api, golden);
  return { golden, proxy, api, checker };
}

async function expectServes(
  { golden, api }: Pick<Awaited<ReturnType<typeof setUp>>, 'golden' | 'api'>,
  fee: number,
) {
  const changedAt = await setVaultFee(golden, fee);
  await waitForServedSlot(api, changedAt);
  const response = await api.get(VAULT_PATH);
  expect(response.body).toMatchObject({ state: { performanceFeeBps: fee } });
  expect(responseSlot(response)).toBeLessThanOrEqual(golden.localnet.bank.slot);
}

const makeAhead = (proxy: RewritingProxy, slots: number) => {
  proxy.slotsAhead = slots;
};

test('one of two endpoints is 400,000 slots ahead over HTTP and then dies: the server goes on', async () => {
  const { golden, proxy, api, checker } = await setUp({ endpoints: 2 });
  makeAhead(proxy, 400_000);
  await golden.result('tidegate_dropWebSockets');
  await expect.poll(() => alarmOf(api, 'leap'), LONG_POLL).toBeGreaterThan(0);
  await expectServes({ golden, api }, 801);
  expect((await statusOf(api)).endpoints[0]).toMatchObject({
    healthy: false,
    lastError: expect.stringMatching(/which no other source has reached/),
  });
  proxy.isDead = true;
  await golden.result('tidegate_dropWebSockets');
  await expectServes({ golden, api }, 802);
  await waitUntilReady(api);
  expect(await checker.stop()).toEqual([]);
});

test('a single endpoint that is 5,000 slots ahead for a while over HTTP is served again afterwards', async () => {
  const { golden, proxy, api, checker } = await setUp({ endpoints: 1 });
  makeAhead(proxy, 5_000);
  await golden.result('tidegate_dropWebSockets');
  await expect.poll(() => alarmOf(api, 'leap'), LONG_POLL).toBeGreaterThan(0);
  makeAhead(proxy, 0);
  await expectServes({ golden, api }, 803);
  await waitUntilReady(api);
  await checker.stop();
});

test('nothing vanishes when the upstream of an endpoint moves to another cluster, and it is used again when it is back', async () => {
  const { golden, proxy, api, checker } = await setUp({ endpoints: 1 });
  const other = await startGoldenLocalnet('another cluster', { accounts: new Map() });
  other.advanceSlots(Number(golden.localnet.bank.slot - other.localnet.bank.slot) + 20);
  proxy.target = other.rpcUrl;
  // everything is read again
  await golden.result('tidegate_dropWebSockets');
  await expect.poll(() => alarmOf(api, 'other-cluster'), LONG_POLL).toBeGreaterThan(0);
  expect((await statusOf(api)).endpoints[0]).toMatchObject({
    healthy: false,
    lastError: expect.stringMatching(/^it belongs to another cluster, with the genesis hash/),
  });
  expect((await api.get(VAULT_PATH)).status).toBe(200);
  proxy.target = golden.rpcUrl;
  await expectServes({ golden, api }, 804);
  await waitUntilReady(api);
  await checker.stop();
});

test('with a WebSocket of another cluster the cluster is polled, and nothing is mixed in', async () => {
  const golden = await startGoldenLocalnet();
  const other = await startGoldenLocalnet('another cluster');
  const api = await serveLocalnet(golden, {
    nodes: [{ rpcUrl: golden.rpcUrl, wsUrl: other.wsUrl }],
  });
  const ticker = setInterval(() => other.advanceSlots(1), 25);
  onTestFinished(() => clearInterval(ticker));
  await waitUntilReady(api);
  await setVaultFee(other, 999);
  await expectServes({ golden, api }, 805);
  expect(await alarmOf(api, 'other-cluster')).toBeGreaterThan(0);
  const { body } = await api.get('/status');
  expect(body).toMatchObject({
    clusters: [
      {
        source: {
          step: 'polling',
          steps: [{ lastError: expect.stringMatching(/another cluster/) }, { step: 'polling' }],
        },
      },
    ],
  });
});
