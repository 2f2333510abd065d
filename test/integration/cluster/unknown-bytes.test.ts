import { expect, onTestFinished, test } from 'vitest';
import {
  LONG_POLL,
  serveLocalnet,
  setAccountValue,
  waitUntilReady,
} from '../../support/clusters/served-cluster.ts';
import { goldenMarket, goldenReserve, goldenVault } from '../../support/golden/golden-addresses.ts';
import { StreamClient } from '../../support/http/stream-client.ts';
import { startGoldenLocalnet } from '../../support/localnet/golden-localnet.ts';

/** The last eight bytes of a reserve, which are padding. */
const RESERVE_PADDING = 8_616;

test('a byte that is set on the cluster marks responses and streams, until it is cleared', async () => {
  const golden = await startGoldenLocalnet();
  const api = await serveLocalnet(golden);
  await waitUntilReady(api);
  const { address } = goldenReserve('Main Market', 'SOL');
  const vaultPath = `/kvaults/vaults/${goldenVault('Steady USDC').address}`;
  const metrics = `/svc-market/${goldenMarket('Main Market').address}/reserves/metrics`;
  const header = async (path: string) => (await api.get(path)).headers.get('x-unproven');
  expect(await header(metrics)).toBeNull();
  const stream = await StreamClient.open(`${api.url}${metrics}`);
  onTestFinished(() => stream.close());
  const streamed = () => Object(stream.data('headers').at(-1))['x-unproven'];

  const slot = await setAccountValue(golden, { address, offset: RESERVE_PADDING, value: 1n });
  const text = `reserve;code=unknownBytes;since=${slot};detail="byte ${RESERVE_PADDING} (padding) of ${address} is not zero"`;
  await expect.poll(() => header(metrics), LONG_POLL).toBe(text);
  await expect.poll(streamed, LONG_POLL).toBe(text);
  expect(await header(vaultPath)).toBeNull();

  await setAccountValue(golden, { address, offset: RESERVE_PADDING, value: 0n });
  await expect.poll(() => header(metrics), LONG_POLL).toBeNull();
  await expect.poll(streamed, LONG_POLL).toBeUndefined();
});
