import { expect, test } from 'vitest';
import { checkResponses } from '../../support/clusters/response-checker.ts';
import {
  LONG_POLL,
  LONG_TEST_TIMEOUT_MS,
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

/** A served cluster of two nodes, each at the end of a line, with somebody who checks every answer. */
async function twoEndpoints(options: ServedOptions = {}) {
  const golden = await startGoldenLocalnet();
  const second = await golden.localnet.addNode(0);
  const lines = [await startProxy(golden.rpcUrl), await startProxy(second.rpcUrl)] as const;
  const api = await serveLocalnet(golden, { ...options, nodes: lines });
  await waitUntilReady(api);
  const watch = await checkResponses(api, golden);
  return { golden, lines, api, watch };
}

type Status = {
  readonly clusters: readonly [{ readonly endpoints: readonly { readonly healthy: boolean }[] }];
};

async function health(api: RunningApi): Promise<boolean[]> {
  const { body } = await api.get('/status');
  return (body as Status).clusters[0].endpoints.map(({ healthy }) => healthy);
}

test.each(['all', 'on-demand'] as const)(
  'with two endpoints either may die and come back, and no request fails; loans followed: %s',
  async (obligations) => {
    const { golden, lines, api, watch } = await twoEndpoints({ obligations });
    expect(await health(api)).toEqual([true, true]);
    for (const [dying, line] of lines.entries()) {
      await line.disconnect();
      const changedAt = await setVaultFee(golden, 800 + dying);
      await expect
        .poll(() => health(api), LONG_POLL)
        .toEqual(lines.map((_, index) => index !== dying));
      await waitForServedSlot(api, changedAt);
      const { body } = await api.get(VAULT_PATH);
      expect(body).toMatchObject({ state: { performanceFeeBps: 800 + dying } });
      await line.reconnect();
      await expect.poll(() => health(api), LONG_POLL).toEqual([true, true]);
    }
    await waitUntilReady(api);
    expect(await watch.stop()).toEqual([]);
  },
  LONG_TEST_TIMEOUT_MS,
);

test(
  'an endpoint that is dead is told as such for as long as it is',
  async () => {
    const { lines, api, watch, golden } = await twoEndpoints();
    await lines[0].disconnect();
    await expect.poll(() => health(api), LONG_POLL).toEqual([false, true]);
    // several times what it is left alone for after a failure
    const { slot } = golden.localnet.bank;
    while (golden.localnet.bank.slot < slot + 60n) {
      expect(await health(api)).toEqual([false, true]);
    }
    await watch.stop();
  },
  LONG_TEST_TIMEOUT_MS,
);

test(
  'an endpoint that falls 200 slots behind is left for the other, and no answer is of it',
  async () => {
    const { golden, api, watch } = await twoEndpoints();
    await golden.result('tidegate_setFaults', [{ lagSlots: 200 }]);
    await golden.result('tidegate_dropWebSockets');
    const changedAt = await setVaultFee(golden, 810);
    await expect.poll(() => health(api), LONG_POLL).toEqual([false, true]);
    await waitForServedSlot(api, changedAt);
    expect((await api.get(VAULT_PATH)).body).toMatchObject({ state: { performanceFeeBps: 810 } });
    await golden.result('tidegate_setFaults', [{}]);
    await expect.poll(() => health(api), LONG_POLL).toEqual([true, true]);
    expect(await watch.stop()).toEqual([]);
  },
  LONG_TEST_TIMEOUT_MS,
);
