import { type Slot, toAddress, toSlot } from '@tidegate/core/base';
import { scope, spl } from '@tidegate/core/protocol';
import { expect, test } from 'vitest';
import {
  decodedGenesis,
  SIMULATION_END,
} from '../../../../test/support/localnet/simulated-genesis.ts';
import { Bank } from '../runtime/bank.ts';
import { stakePoolRewards } from './stake-pool-rewards.ts';

const SLOTS_PER_EPOCH = 432_000n;
const STAKE_POOLS = toAddress('SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy');
const { accounts, metadata } = decodedGenesis('stakes');
const bank = new Bank({ accounts, origin: SIMULATION_END });
const nextEpoch = (SIMULATION_END.slot / SLOTS_PER_EPOCH + 1n) * SLOTS_PER_EPOCH;
const after = (slot: bigint) => stakePoolRewards(bank, bank.timeOf(toSlot(slot)));
const lamportsOf = (data: Uint8Array) => new DataView(data.buffer).getBigUint64(258, true);

test('nothing changes within an epoch', () => {
  expect(after(nextEpoch - 1n).size).toBe(0);
});

test.each([1n, 2n, 10n])('after %s epochs, pools have earned that many rewards', (epochs) => {
  const changes = after(nextEpoch + (epochs - 1n) * SLOTS_PER_EPOCH);
  expect(changes.size).toBe(3);
  for (const pool of metadata.stakePools.values()) {
    const before = accounts.get(pool)?.data ?? new Uint8Array(611);
    let expected = lamportsOf(before);
    for (let epoch = 0n; epoch < epochs; epoch++) expected += (expected * 38n) / 100_000n;
    const data = changes.get(pool)?.data ?? before;
    expect(lamportsOf(data)).toBe(expected);
    const earlier = accounts.get(pool);
    const { previous, lastUpdateEpoch } = spl.decodeStakePool({ owner: STAKE_POOLS, data });
    expect(lastUpdateEpoch).toBe(nextEpoch / SLOTS_PER_EPOCH + epochs - 1n);
    let atPrevious = lamportsOf(before);
    for (let epoch = 1n; epoch < epochs; epoch++) atPrevious += (atPrevious * 38n) / 100_000n;
    const supply = earlier && spl.decodeStakePool(earlier).poolTokenSupply;
    expect(previous).toEqual({ totalLamports: atPrevious, poolTokenSupply: supply });
    const isUpdated = (i: number) => [258, 274, 419, 427].some((at) => i >= at && i < at + 8);
    const untouched = data.map((byte, i) => (isUpdated(i) ? (before[i] ?? 0) : byte));
    expect(untouched).toEqual(before);
  }
});

test('the oracle updates stake rates and leaves all other prices', () => {
  const changes = after(nextEpoch);
  const pricesOf = (
    account: Parameters<typeof scope.accounts.oraclePrices.decode>[0] | undefined,
  ) => (account === undefined ? [] : scope.accounts.oraclePrices.decode(account).prices);
  const [oldPrices, newPrices] = [accounts, changes].map((source) =>
    pricesOf(source.get(metadata.oracle.prices)),
  );
  for (const { index, symbol, kind } of metadata.oracle.entries) {
    const [before, current] = [oldPrices?.[index]?.price, newPrices?.[index]?.price];
    if (kind === 'price') expect(current).toEqual(before);
    const mint = [...metadata.tokens].find(([, name]) => name === symbol)?.[0];
    const pool = mint && metadata.stakePools.get(mint);
    const account = pool && changes.get(pool);
    if (account === undefined) continue;
    const { totalLamports, poolTokenSupply } = spl.decodeStakePool(account);
    if (kind === 'market rate') continue;
    expect(current).toEqual({ value: (totalLamports * 10n ** 15n) / poolTokenSupply, exp: 15n });
  }
  expect(newPrices?.slice(metadata.oracle.entries.length)).toEqual(
    oldPrices?.slice(metadata.oracle.entries.length),
  );
});

test('the market price of a staked token grows with its pool, at and below the peg', () => {
  const feed = accounts.get(metadata.oracle.prices);
  const entry = metadata.oracle.entries.find(({ kind }) => kind === 'market rate');
  if (feed === undefined || entry === undefined) throw new Error('no market rate');
  const fields = scope.accounts.oraclePrices.decode(feed);
  const dated = fields.prices[entry.index];
  if (dated === undefined) throw new Error('no entry');
  for (const value of [dated.price.value, 10n ** 15n]) {
    const prices = fields.prices.with(entry.index, {
      ...dated,
      price: { value, exp: 15n },
    });
    const data = scope.accounts.oraclePrices.encode({ ...fields, prices });
    const changed = new Map([...accounts, [metadata.oracle.prices, { ...feed, data }]]);
    const lower = new Bank({ accounts: changed, origin: SIMULATION_END });
    const grownFeed = stakePoolRewards(lower, lower.timeOf(toSlot(nextEpoch))).get(
      metadata.oracle.prices,
    );
    const after = grownFeed && scope.accounts.oraclePrices.decode(grownFeed);
    const difference = (after?.prices[entry.index]?.price.value ?? 0n) - value;
    // 0.038 % per epoch; pool lamports and prices are rounded down
    expect(difference).toBeGreaterThan((value * 38n) / 100_000n - 1_000n);
    expect(difference).toBeLessThanOrEqual((value * 38n) / 100_000n);
  }
});

test('an earlier slot changes nothing', () => {
  const earlier: Slot = toSlot(SIMULATION_END.slot - 2n * SLOTS_PER_EPOCH);
  expect(after(earlier).size).toBe(0);
});
