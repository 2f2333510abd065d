import { type ChainTime, type ClusterAccount, clock, toAddress, toSlot } from '@tidegate/core/base';
import { rentExemptLamports } from '@tidegate/core/protocol/spl';
import { SLOTS_PER_EPOCH, timeOfSlot } from './slot-time.ts';

const SYSVAR_OWNER = toAddress('Sysvar1111111111111111111111111111111111111');

/** The clock sysvar. */
export function clockAccount(time: ChainTime): ClusterAccount {
  const epoch = time.slot / SLOTS_PER_EPOCH;
  const data = new Uint8Array(clock.size);
  clock.encode(new DataView(data.buffer), 0, {
    slot: time.slot,
    epochStartTimestamp: timeOfSlot(time, toSlot(epoch * SLOTS_PER_EPOCH)).unix,
    epoch,
    leaderScheduleEpoch: epoch + 1n,
    unixTimestamp: time.unix,
  });
  return { owner: SYSVAR_OWNER, lamports: rentExemptLamports(data.length), data };
}
