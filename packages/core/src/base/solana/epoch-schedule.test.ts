import { expect, test } from 'vitest';
import { epochOfSlot, epochSlots } from './epoch-schedule.ts';

/** As `getEpochSchedule` answers on mainnet-beta and on testnet. */
const mainnet = { slotsPerEpoch: 432_000n, firstNormalEpoch: 0n, firstNormalSlot: 0n };
const testnet = { slotsPerEpoch: 432_000n, firstNormalEpoch: 14n, firstNormalSlot: 524_256n };

test.each([
  [mainnet, 0n, { first: 0n, last: 431_999n }],
  [mainnet, 800n, { first: 345_600_000n, last: 346_031_999n }],
  [testnet, 0n, { first: 0n, last: 31n }],
  [testnet, 1n, { first: 32n, last: 95n }],
  [testnet, 13n, { first: 262_112n, last: 524_255n }],
  [testnet, 14n, { first: 524_256n, last: 956_255n }],
])('%o: epoch %s has the slots %o', (schedule, epoch, slots) => {
  expect(epochSlots(schedule, epoch)).toEqual(slots);
  const { first, last } = slots;
  expect([first, last].map((slot) => epochOfSlot(schedule, slot))).toEqual([epoch, epoch]);
  expect(epochOfSlot(schedule, last + 1n)).toBe(epoch + 1n);
});
