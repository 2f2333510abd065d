import { expect, test } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import type { SeriesPoint } from '#server/history/schema/series-tables.ts';
import { emptyRegistry } from '#server/registry/registry.ts';
import { startHistoryApi } from '../../support/history/history-api.ts';

const MINT = toAddress('J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn');
const POOL = toAddress('Jito4APyf642JPZPx3hGc6WWJ8zPKtRbRs4P815Awbb');
const UNKNOWN = toAddress('mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So');
const EPOCH = 432_000n;

/** At the end of each epoch; the last one ended two days ago. */
const sample = (epochsAgo: bigint, lamports: bigint): SeriesPoint => ({
  kind: 'stakeRate',
  resolution: 'day',
  subject: MINT,
  at: toUnixSeconds(BigInt(Date.UTC(2025, 9, 15) / 1000) - epochsAgo * 172_800n),
  slot: toSlot((860n - epochsAgo) * EPOCH),
  lamports,
  tokens: 1_000_000n,
});

test('the yield is that of the newest epoch, with the median and mean of ten epochs', async () => {
  const registry = {
    ...emptyRegistry,
    stakePools: new Map([
      [MINT, POOL],
      [UNKNOWN, POOL],
    ]),
  };
  const { get, writer } = await startHistoryApi({ registry });
  expect((await get('/v2/staking-yields')).body).toEqual([]);
  // zero, then 0.04 %, then zero
  const points = [3n, 2n, 1n, 0n].map((ago) => sample(ago, ago > 1n ? 1_000_000n : 1_000_400n));
  await writer.append({ points });
  const apy = async (path: string) => {
    const [only, ...others] = (await get(path)).body as { apy: string; tokenMint: string }[];
    expect([only?.tokenMint, others]).toEqual([MINT, []]);
    return Number(only?.apy);
  };
  expect(await apy('/v2/staking-yields')).toBeCloseTo(0, 12);
  expect(await apy('/v2/staking-yields/median')).toBeCloseTo(0, 12);
  expect(await apy('/v2/staking-yields/mean')).toBeCloseTo((1.0004 ** 182.5 - 1) / 3, 9);
});

test('a token has the yield of each finished epoch in the range, newest first', async () => {
  const registry = { ...emptyRegistry, stakePools: new Map([[MINT, POOL]]) };
  const day = (number: number) => toUnixSeconds(BigInt(Date.UTC(2025, 9, number) / 1000));
  const epochs = [
    { epoch: 858n, startedAt: day(9), endedAt: day(11) },
    { epoch: 859n, startedAt: day(11), endedAt: day(13) },
  ].map((each) => ({
    ...each,
    first: toSlot(each.epoch * EPOCH),
    last: toSlot((each.epoch + 1n) * EPOCH - 1n),
  }));
  const missing = [{ first: 850n, last: 857n, reason: 'The node does not have its blocks.' }];
  const listEpochs = async () => ({ epochs, missing });
  const { get, writer } = await startHistoryApi({ registry, listEpochs });
  const path = `/staking-yields/tokens/${MINT}/history`;
  expect((await get(path)).body).toEqual([]);
  // growth of 0.04 % in epoch 858 and of 0.08 % in 859; 860 is not finished
  const lamports = [1_000_000n, 1_000_000n, 1_000_400n, 1_001_200n, 1_001_200n];
  const points = lamports.map((amount, index) => sample(BigInt(4 - index), amount));
  await writer.append({ points });
  const { body, headers } = await get(path);
  const yields = body as { apy: string }[];
  expect(yields.map(({ apy: _, ...rest }) => rest)).toEqual([
    {
      epoch: 859,
      startBlockTime: '2025-10-11T00:00:00.000Z',
      endBlockTime: '2025-10-13T00:00:00.000Z',
    },
    {
      epoch: 858,
      startBlockTime: '2025-10-09T00:00:00.000Z',
      endBlockTime: '2025-10-11T00:00:00.000Z',
    },
  ]);
  // 182.5 epochs of two days a year
  expect(Number(yields[0]?.apy)).toBeCloseTo((1_001_200 / 1_000_400) ** 182.5 - 1, 9);
  expect(Number(yields[1]?.apy)).toBeCloseTo(1.0004 ** 182.5 - 1, 9);
  expect(headers.get('x-omitted')).toBe(
    '857;reason="The block times of this epoch are not known."',
  );
  const later = await get(`${path}?start=2025-10-12`);
  expect((later.body as { epoch: number }[]).map(({ epoch }) => epoch)).toEqual([859]);
  expect((await get(`/staking-yields/tokens/${UNKNOWN}/history`)).body).toEqual([]);
});
