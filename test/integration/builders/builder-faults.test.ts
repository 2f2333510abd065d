import { expect, test } from 'vitest';
import { CodedError } from '#core/base/errors.ts';
import { toSlot } from '#core/base/time.ts';
import { type Cluster, createClusters } from '#server/clusters/served-clusters.ts';
import { goldenClusters, staticCluster } from '../../support/golden/golden-clusters.ts';
import { badRequest, lendingBody, lendingPaths } from '../../support/http/builder-requests.ts';
import { jsonPoster } from '../../support/http/post-json.ts';
import { startApi, statusAndBody } from '../../support/http/test-api.ts';

/** Servers are started in each. */
const slow = { timeout: 30_000 };

const path = lendingPaths[0] ?? '';

const down = () =>
  Promise.reject(
    new CodedError('SOURCE_UNAVAILABLE', { source: 'node.example', reason: 'connection refused' }),
  );

async function ask(changes: Partial<Cluster>, target: string) {
  const { url, logLines } = await startApi({ clusters: goldenClusters(changes) });
  return { lines: logLines, answer: await jsonPoster({ url })(target, lendingBody) };
}

test.each(['', '?preview=true'])(
  'accounts that cannot be read are 503 and asked for again%s',
  slow,
  async (query) => {
    for (const form of [path, `${path}-instructions`]) {
      const { answer, lines } = await ask({ readAccounts: down }, `${form}${query}`);
      expect(statusAndBody(answer)).toEqual({
        status: 503,
        body: {
          statusCode: 503,
          message: 'The endpoint node.example is unavailable: connection refused. Retry later.',
          error: 'Service Unavailable',
        },
      });
      expect(answer.headers.get('retry-after')).toBe('1');
      expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
    }
  },
);

test('an endpoint that is behind state is 503, never built on', slow, async () => {
  const lags = { source: 'node.example', slot: 5n, minSlot: 7n };
  const readAccounts = () => Promise.reject(new CodedError('SOURCE_LAGS', lags));
  const { answer } = await ask({ readAccounts }, path);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
});

test('without a blockhash there is no transaction, but there are instructions', slow, async () => {
  const { answer } = await ask({ latestBlockhash: down }, path);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
  const plain = await ask({ latestBlockhash: down }, `${path}-instructions`);
  expect(plain.answer.status).toBe(200);
});

test('a blockhash that fails while a request is refused troubles nobody', slow, async () => {
  const { url } = await startApi({ clusters: goldenClusters({ latestBlockhash: down }) });
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  const answer = await jsonPoster({ url })(path, { ...lendingBody, amount: '0' });
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', note);
  expect(statusAndBody(answer)).toEqual(badRequest('"0" is not a valid amount: it must be above zero. Write a decimal number such as 12.5.'));
  expect(unhandled).toEqual([]);
});

test('a state that is not as far as the caller asks is 503 with its code', slow, async () => {
  const { answer } = await ask({}, `${path}?minContextSlot=999999999999`);
  expect(answer).toMatchObject({ status: 503, body: { code: 'STALE_READ', statusCode: 503 } });
  expect(answer.headers.get('retry-after')).toBe('1');
});

test('a cluster that is not loaded yet is 503', slow, async () => {
  const still = staticCluster();
  const reader = { ...still.reader, at: () => ({ ...still.reader.at(), slot: toSlot(0n) }) };
  const { answer } = await ask({ reader }, path);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
});

test('the cluster that is named is the one that is built for', slow, async () => {
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

test('an answer is for one wallet at one time: nobody keeps it', slow, async () => {
  const { answer } = await ask({}, path);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('etag')).toBe(null);
  expect(answer.headers.get('x-slot')).toBe(String(staticCluster().reader.at().slot));
});
