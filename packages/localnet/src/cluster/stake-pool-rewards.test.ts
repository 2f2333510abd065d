import { type Slot, toSlot } from '@tidegate/core/base';
import { scope, spl } from '@tidegate/core/protocol';
import { expect, test } from 'vitest';
import {
  decodedGenesis,
  SIMULATION_END,
} from '../../../../test/support/localnet/simulated-genesis.ts';
import { Bank } from '../runtime/bank.ts';
import { stakePoolRewards } from './stake-pool-rewards.ts';

const SLOTS_PER_EPOCH = 432_000n;
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
    const untouched = data.map((byte, i) => (i >= 258 && i < 266 ? (before[i] ?? 0) : byte));
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
    expect(current).toEqual({ value: (totalLamports * 10n ** 15n) / poolTokenSupply, exp: 15n });
  }
  expect(newPrices?.slice(metadata.oracle.entries.length)).toEqual(
    oldPrices?.slice(metadata.oracle.entries.length),
  );
});

test('an earlier slot changes nothing', () => {
  const earlier: Slot = toSlot(SIMULATION_END.slot - 2n * SLOTS_PER_EPOCH);
  expect(after(earlier).size).toBe(0);
});
