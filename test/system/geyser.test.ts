import { expect, test } from 'vitest';
import { FakeGeyser } from '../support/grpc/fake-geyser.ts';
import { bridgeNode } from '../support/grpc/geyser-bridge.ts';
import { startServerAsIs, waitUntilReady } from '../support/processes/run-tidegate.ts';
import { onTestEnd } from '../support/processes/test-scope.ts';
import { startRecordedMainnet } from '../support/recorded-mainnet/recorded-mainnet.ts';

type Status = { readonly clusters: readonly { readonly source: unknown }[] };

test('the program follows a cluster over gRPC with the client that it contains', async () => {
  const node = await startRecordedMainnet();
  const geyser = await FakeGeyser.start();
  onTestEnd(() => geyser.stop());
  bridgeNode(node.state, geyser);
  const { url } = await startServerAsIs({
    RPC_URL: node.rpcUrl.href,
    GEYSER_URL: geyser.url.href,
    GEYSER_TOKEN: 'secret-token',
  });
  await waitUntilReady(url);
  const status = (await (await fetch(`${url}/status`)).json()) as Status;
  expect(status.clusters[0]?.source).toMatchObject({ step: 'grpc' });
  expect(geyser.metadata[0]?.get('x-token')).toEqual(['secret-token']);
  expect(JSON.stringify(status)).not.toContain('secret-token');
});
