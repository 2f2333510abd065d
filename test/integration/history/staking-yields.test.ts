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
