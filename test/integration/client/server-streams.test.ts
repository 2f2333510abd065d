import { expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import { streamUpdates } from '#client/streams/read-streams.ts';
import {
  serveLocalnet,
  setVaultFee,
  waitUntilReady,
} from '../../support/clusters/served-cluster.ts';
import { goldenVault } from '../../support/golden/golden-addresses.ts';
import { startGoldenLocalnet } from '../../support/localnet/golden-localnet.ts';

const { address: pubkey } = goldenVault('Steady USDC');

test('a stream of the server shows each change of a vault, with its slot, and ends with its signal', async () => {
  const golden = await startGoldenLocalnet();
  const api = await serveLocalnet(golden);
  await waitUntilReady(api);
  const client = createClient({ baseUrl: api.url });
  const controller = new AbortController();
  const { signal } = controller;
  const fees: number[] = [];
  let changedAt = 0n;
  for await (const update of streamUpdates(client, '/kvaults/vaults/{pubkey}', {
    path: { pubkey },
    signal,
  })) {
    expect(update.kind).toMatch(/^(update|unchanged)$/);
    if (update.kind !== 'update') continue;
    expect(update.freshness).toMatchObject({ env: 'localnet', slot: update.slot });
    const { performanceFeeBps } = update.data.state;
    if (fees.at(-1) === performanceFeeBps) continue;
    fees.push(performanceFeeBps);
    if (performanceFeeBps === 777) {
      expect(update.slot).toBeGreaterThanOrEqual(changedAt);
      controller.abort();
    } else changedAt = await setVaultFee(golden, 777);
  }
  expect(fees).toHaveLength(2);
  expect(fees.at(-1)).toBe(777);
});
