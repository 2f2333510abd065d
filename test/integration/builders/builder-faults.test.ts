import { expect, test } from 'vitest';
import { toSlot } from '#core/base/time.ts';
import { type Cluster, createClusters } from '#server/clusters/served-clusters.ts';
import { CodedError } from '#server/errors.ts';
import { goldenClusters, staticCluster } from '../../support/golden/golden-clusters.ts';
import { badRequest, lendingBody, lendingPaths } from '../../support/http/builder-requests.ts';
import { jsonPoster } from '../../support/http/post-json.ts';
import { startApi, statusAndBody } from '../../support/http/test-api.ts';

/** Each test starts servers. */

const path = lendingPaths[0] ?? '';

const unavailable = () =>
  Promise.reject(
    new CodedError('SOURCE_UNAVAILABLE', { source: 'node.example', reason: 'connection refused' }),
  );

async function request(changes: Partial<Cluster>, target: string) {
  const { url, logLines } = await startApi({ clusters: goldenClusters(changes) });
  return { lines: logLines, response: await jsonPoster({ url })(target, lendingBody) };
}

test.each(['', '?preview=true'])(
  'unreadable accounts return 503 with retry-after%s',
  async (query) => {
    for (const target of [path, `${path}-instructions`]) {
      const { response, lines } = await request({ readAccounts: unavailable }, `${target}${query}`);
      expect(statusAndBody(response)).toEqual({
        status: 503,
        body: {
          statusCode: 503,
          message: 'The endpoint node.example is unavailable: connection refused. Retry later.',
          error: 'Service Unavailable',
        },
      });
      expect(response.headers.get('retry-after')).toBe('1');
      expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
    }
  },
);

test('an endpoint behind the state returns 503', async () => {
  const lags = { source: 'node.example', slot: 5n, minSlot: 7n };
  const readAccounts = () => Promise.reject(new CodedError('SOURCE_LAGS', lags));
  const { response } = await request({ readAccounts }, path);
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
});

test('without a blockhash transactions return 503, but instructions are built', async () => {
  const { response } = await request({ latestBlockhash: unavailable }, path);
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  const plain = await request({ latestBlockhash: unavailable }, `${path}-instructions`);
  expect(plain.response.status).toBe(200);
});

test('a failing blockhash of a rejected request is no unhandled rejection', async () => {
  const { url } = await startApi({ clusters: goldenClusters({ latestBlockhash: unavailable }) });
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', onUnhandled);
  const response = await jsonPoster({ url })(path, { ...lendingBody, amount: '0' });
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', onUnhandled);
  expect(statusAndBody(response)).toEqual(
    badRequest(
      '"0" is not a valid amount: it must be above zero. Write a decimal number such as 12.5.',
    ),
  );
  expect(unhandled).toEqual([]);
});

test('a state behind minContextSlot returns 503 with its code', async () => {
  const { response } = await request({}, `${path}?minContextSlot=999999999999`);
  expect(response).toMatchObject({ status: 503, body: { code: 'STALE_READ', statusCode: 503 } });
  expect(response.headers.get('retry-after')).toBe('1');
});

test('a cluster that is not loaded returns 503', async () => {
  const loaded = staticCluster();
  const reader = { ...loaded.reader, at: () => ({ ...loaded.reader.at(), slot: toSlot(0n) }) };
  const { response } = await request({ reader }, path);
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
});

test('builds for the requested cluster', async () => {
  const hashes = ['11111111111111111111111111111112', '11111111111111111111111111111113'] as const;
  const cluster = (env: Cluster['env'], blockhash: string) =>
    staticCluster({
      env,
      latestBlockhash: async () => ({
        slot: staticCluster().reader.at().slot,
        blockhash,
        lastValidBlockHeight: 1n,
      }),
    });
  const clusters = createClusters([
    cluster('mainnet-beta', hashes[0]),
    cluster('devnet', hashes[1]),
  ]);
  const post = jsonPoster(await startApi({ clusters }));
  const hashOf = async (query: string) => {
    const { body } = await post(`${path}?preview=true${query}`, lendingBody);
    return (body as { preview: { expiry: { blockhash: string } } }).preview.expiry.blockhash;
  };
  expect(await hashOf('')).toBe(hashes[0]);
  expect(await hashOf('&env=devnet')).toBe(hashes[1]);
});

test('responses are not cached', async () => {
  const { response } = await request({}, path);
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('etag')).toBe(null);
  expect(response.headers.get('x-slot')).toBe(String(staticCluster().reader.at().slot));
});
