import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { toSlot } from '#core/base/time.ts';
import type { Cluster } from '#server/clusters/served-clusters.ts';
import { CodedError } from '#server/errors.ts';
import { goldenClusters } from '../../support/golden/golden-clusters.ts';
import { lendingBody, lendingPaths } from '../../support/http/builder-requests.ts';
import { jsonPoster } from '../../support/http/post-json.ts';
import { readJson, startApi } from '../../support/http/test-api.ts';

type Decoded = {
  readonly feePayer: string;
  readonly instructions: readonly {
    readonly accounts: readonly { readonly address: string; readonly role: string }[];
  }[];
};

async function setUp(changes: Partial<Cluster> = {}) {
  const api = await startApi({ clusters: goldenClusters(changes) });
  const post = jsonPoster(api);
  const { body } = await post(lendingPaths[0] ?? '', lendingBody);
  const { transaction } = body as { transaction: string };
  const feesOf = (computeUnitLimit: number) =>
    post('/ktx/priority-fee', { transaction, computeUnitLimit });
  return { api, post, transaction, feesOf };
}

/** 20 prices of 100 to 2000, in another order. */
const prices = Array.from({ length: 20 }, (_, i) => BigInt(((i * 7) % 20) + 1) * 100n);

test('prices of recent slots, for the accounts that the transaction writes', async () => {
  const requested: (readonly Address[])[] = [];
  const { api, post, transaction, feesOf } = await setUp({
    async recentPriorityFees(writable) {
      requested.push(writable);
      return prices.map((microLamports, i) => ({ slot: toSlot(BigInt(500 + i)), microLamports }));
    },
  });
  const { status, body } = await feesOf(300_001);
  expect(status).toBe(200);
  const decoded = (await post('/ktx/decode', { transaction })).body as Decoded;
  const written = decoded.instructions
    .flatMap(({ accounts }) => accounts)
    .filter(({ role }) => role.startsWith('WRITABLE'))
    .map(({ address }) => address);
  const expected = [...new Set([decoded.feePayer, ...written])].sort();
  expect([...(requested[0] ?? [])].sort()).toEqual(expected);

  const { body: list } = await readJson(await fetch(`${api.url}/prices`));
  const sol = (list as { token: string; usdPrice: string }[]).find(({ token }) => token === 'SOL');
  // of 20 prices from 100 to 2000: the 10th, the 15th and the 19th
  const level = (
    [name, percentile]: readonly [string, number],
    price: number,
    lamports: number,
  ) => ({
    name,
    percentile,
    computeUnitPrice: String(price),
    lamports: String(lamports),
    sol: (lamports / 1e9).toFixed(9).replace(/0+$/, ''),
    usd: expect.any(String),
  });
  expect(body).toEqual({
    writableAccounts: expected.length,
    slots: 20,
    newestSlot: '519',
    levels: [
      // 300001 units at 1000 micro-lamports are 300.001 lamports, rounded up
      level(['normal', 50], 1000, 301),
      level(['fast', 75], 1500, 451),
      level(['urgent', 95], 1900, 571),
    ],
  });
  const { levels } = body as { levels: { usd: string }[] };
  expect(Number(levels[0]?.usd)).toBeCloseTo(301e-9 * Number(sol?.usdPrice), 15);
});

test.each<[string, Cluster['recentPriorityFees']]>([
  ['without prices', async () => []],
  [
    'without the method',
    async () => {
      throw new CodedError('SOURCE_REFUSES', { source: 'node.example', reason: 'unknown method' });
    },
  ],
])('a node %s gives no levels', async (_what, recentPriorityFees) => {
  const { feesOf } = await setUp({ recentPriorityFees });
  const { status, body } = await feesOf(200_000);
  expect(status).toBe(200);
  expect(body).toMatchObject({ slots: 0, newestSlot: null, levels: [] });
});

test('a node that does not respond is an error', async () => {
  const { feesOf } = await setUp({
    async recentPriorityFees() {
      throw new CodedError('SOURCE_UNAVAILABLE', { source: 'node.example', reason: 'timed out' });
    },
  });
  expect((await feesOf(200_000)).status).toBe(503);
});

test.each([
  ['no limit', {}],
  ['a limit of zero', { computeUnitLimit: 0 }],
  ['a limit above that of a transaction', { computeUnitLimit: 1_400_001 }],
  ['no transaction', { computeUnitLimit: 200_000, transaction: 'AAAA' }],
])('%s is an invalid request', async (_what, fields) => {
  const { post, transaction } = await setUp();
  const { status } = await post('/ktx/priority-fee', { transaction, ...fields });
  expect(status).toBe(400);
});
