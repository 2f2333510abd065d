import { expect, test } from 'vitest';
import { checkResponses } from '../../support/clusters/response-checker.ts';
import {
  LONG_POLL,
  type ServedOptions,
  serveLocalnet,
  setVaultFee,
  VAULT_PATH,
  waitForServedSlot,
  waitUntilReady,
} from '../../support/clusters/served-cluster.ts';
import { startProxy } from '../../support/fakes/breakable-proxy.ts';
import type { RunningApi } from '../../support/http/test-api.ts';
import { startGoldenLocalnet } from '../../support/localnet/golden-localnet.ts';

/** A served cluster with two nodes behind proxies, and a checker of every response. */
async function twoEndpoints(options: ServedOptions = {}) {
  const golden = await startGoldenLocalnet();
  const second = await golden.localnet.addNode(0);
  const proxies = [await startProxy(golden.rpcUrl), await startProxy(second.rpcUrl)] as const;
  const api = await serveLocalnet(golden, { ...options, nodes: proxies });
  await waitUntilReady(api);
  const checker = await checkResponses(api, golden);
  return { golden, proxies, api, checker };
}

type Status = {
  readonly clusters: readonly [{ readonly endpoints: readonly { readonly healthy: boolean }[] }];
};

async function health(api: RunningApi): Promise<boolean[]> {
  const { body } = await api.get('/status');
  return (body as Status).clusters[0].endpoints.map(({ healthy }) => healthy);
}

test.each(['all', 'on-demand'] as const)(
  'no request fails while either of two endpoints goes down and comes back; loans followed: %s',
  async (obligations) => {
    const { golden, proxies, api, checker } = await twoEndpoints({ obligations });
    expect(await health(api)).toEqual([true, true]);
    for (const [failing, proxy] of proxies.entries()) {
      await proxy.disconnect();
      const changedAt = await setVaultFee(golden, 800 + failing);
      await expect
        .poll(() => health(api), LONG_POLL)
        .toEqual(proxies.map((_, index) => index !== failing));
      await waitForServedSlot(api, changedAt);
      const { body } = await api.get(VAULT_PATH);
      expect(body).toMatchObject({ state: { performanceFeeBps: 800 + failing } });
      await proxy.reconnect();
      await expect.poll(() => health(api), LONG_POLL).toEqual([true, true]);
    }
    await waitUntilReady(api);
    expect(await checker.stop()).toEqual([]);
  },
);

test('an endpoint is reported as unhealthy as long as it is down', async () => {
  const { proxies, api, checker, golden } = await twoEndpoints();
  await proxies[0].disconnect();
  await expect.poll(() => health(api), LONG_POLL).toEqual([false, true]);
  // several times the cooldown
  const { slot } = golden.localnet.bank;
  while (golden.localnet.bank.slot < slot + 60n) {
    expect(await health(api)).toEqual([false, true]);
  }
  await checker.stop();
});

test('no response comes from an endpoint that falls 200 slots behind', async () => {
  const { golden, api, checker } = await twoEndpoints();
  await golden.result('tidegate_setFaults', [{ lagSlots: 200 }]);
  await golden.result('tidegate_dropWebSockets');
  const changedAt = await setVaultFee(golden, 810);
  await expect.poll(() => health(api), LONG_POLL).toEqual([false, true]);
  await waitForServedSlot(api, changedAt);
  expect((await api.get(VAULT_PATH)).body).toMatchObject({ state: { performanceFeeBps: 810 } });
  await golden.result('tidegate_setFaults', [{}]);
  await expect.poll(() => health(api), LONG_POLL).toEqual([true, true]);
  expect(await checker.stop()).toEqual([]);
});
