import { expect, test } from 'vitest';
import { toSlot } from '#core/base/time.ts';
import {
  type AccountJson,
  golden,
  type RpcContextResponse,
} from '../../../support/golden/golden-accounts.ts';
import { startGoldenLocalnet } from '../../../support/localnet/golden-localnet.ts';
import { referenceDecode } from '../../../support/reference/reference-base58.ts';

test('slot, height, epoch, time and blockhash are consistent', async () => {
  const { result, rpc, advanceSlots, node } = await startGoldenLocalnet();
  advanceSlots(40);
  const config = [{ commitment: 'confirmed' }];
  const slot = Number(golden.at.slot) + 39;
  expect(await result('getSlot', config)).toBe(slot);
  const height = await result('getBlockHeight', config);
  expect(await result('getEpochInfo', config)).toEqual({
    absoluteSlot: slot,
    blockHeight: height,
    epoch: Math.floor(slot / 432_000),
    slotIndex: slot % 432_000,
    slotsInEpoch: 432_000,
    transactionCount: height,
  });
  expect(await result('getEpochSchedule')).toEqual({
    slotsPerEpoch: 432_000,
    leaderScheduleSlotOffset: 432_000,
    warmup: false,
    firstNormalEpoch: 0,
    firstNormalSlot: 0,
  });
  expect(await result('getBlockTime', [slot])).toBe(Number(golden.at.unix) + 15);
  expect((await rpc('getBlockTime', [slot + 1])).error).toEqual({
    code: -32004,
    message: `Block not available for slot ${slot + 1}`,
  });
  const { value } = (await result('getLatestBlockhash', config)) as {
    value: { blockhash: string; lastValidBlockHeight: number };
  };
  expect(value.lastValidBlockHeight).toBe(Number(height) + 150);
  const isValid = async () =>
    ((await result('isBlockhashValid', [value.blockhash, ...config])) as RpcContextResponse).value;
  expect(await isValid()).toBe(true);
  advanceSlots(150);
  expect(node.slot('confirmed')).toBe(toSlot(BigInt(slot) + 150n));
  expect(await isValid()).toBe(true);
  advanceSlots(1);
  expect(await isValid()).toBe(false);
});

test('the clock account has the time of its slot', async () => {
  const { result, advanceSlots } = await startGoldenLocalnet();
  advanceSlots(100);
  const answer = (await result('getAccountInfo', [
    'SysvarC1ock11111111111111111111111111111111',
    { encoding: 'base64', commitment: 'confirmed' },
  ])) as RpcContextResponse;
  const data = Buffer.from((answer.value as AccountJson).data[0], 'base64');
  expect(data.readBigUInt64LE(0)).toBe(golden.at.slot + 99n);
  expect(data.readBigInt64LE(32)).toBe(golden.at.unix + 39n);
});

test('other cluster methods', async () => {
  const { result, node } = await startGoldenLocalnet();
  expect(await result('getHealth')).toBe('ok');
  expect(await result('getVersion')).toMatchObject({ 'solana-core': expect.any(String) });
  expect(referenceDecode((await result('getGenesisHash')) as string)).toHaveLength(32);
  // The rent of a token account on mainnet.
  expect(await result('getMinimumBalanceForRentExemption', [165])).toBe(2_039_280);
  const fees = (await result('getRecentPrioritizationFees')) as { slot: number }[];
  expect(fees).toHaveLength(150);
  expect(fees.at(-1)).toEqual({ slot: Number(golden.at.slot), prioritizationFee: 0 });
  const [sample, ...more] = (await result('getRecentPerformanceSamples', [3])) as {
    slot: number;
    numSlots: number;
    samplePeriodSecs: number;
  }[];
  expect(more).toHaveLength(2);
  expect(sample?.numSlots).toBe(150);
  expect(sample?.samplePeriodSecs).toBe(60);
  expect(sample?.slot).toBeLessThanOrEqual(Number(node.slot('finalized')));
});
