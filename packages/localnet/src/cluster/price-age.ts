import { type ChainTime, type ClusterAccount, toSlot, toUnixSeconds } from '@tidegate/core/base';
import { type DatedPrice, oraclePrices } from '@tidegate/core/protocol/scope/layout';

type TimeShift = { readonly slots: bigint; readonly seconds: bigint };

export const timeBetween = (from: ChainTime, to: ChainTime): TimeShift => ({
  slots: to.slot - from.slot,
  seconds: to.unix - from.unix,
});

/** Entries without a time stay as they are. */
export function shiftPriceTime(entry: DatedPrice, { slots, seconds }: TimeShift): DatedPrice {
  if (entry.unixTimestamp === 0n) return entry;
  return {
    ...entry,
    lastUpdatedSlot: toSlot(entry.lastUpdatedSlot + slots),
    unixTimestamp: toUnixSeconds(entry.unixTimestamp + seconds),
  };
}

/** A price account whose prices have the age at `now` that they had when they were read. Other accounts stay as they are. */
export function keepPriceAges(
  account: ClusterAccount,
  readAt: ChainTime,
  now: ChainTime,
): ClusterAccount {
  const shift = timeBetween(readAt, now);
  if (shift.slots === 0n || !oraclePrices.matches(account)) return account;
  const { oracleMappings, prices } = oraclePrices.decode(account);
  const shifted = prices.map((entry) => shiftPriceTime(entry, shift));
  return { ...account, data: oraclePrices.encode({ oracleMappings, prices: shifted }) };
}
