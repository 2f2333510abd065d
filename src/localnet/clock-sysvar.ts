import { toAddress } from '../base/address.ts';
import type { ClusterAccount } from '../base/cluster-account.ts';
import { type ChainTime, toSlot } from '../base/time.ts';
import { clock } from '../chain/clock-account.ts';
import { rentExempt } from '../protocol/spl/rent.ts';
import { SLOTS_PER_EPOCH, timeOfSlot } from './slot-clock.ts';

const SYSVAR_OWNER = toAddress('Sysvar1111111111111111111111111111111111111');

/** The account in which programs, and some clients, read the time. */
export function clockSysvar(time: ChainTime): ClusterAccount {
  const epoch = time.slot / SLOTS_PER_EPOCH;
  const data = new Uint8Array(clock.size);
  clock.encode(new DataView(data.buffer), 0, {
    slot: time.slot,
    epochStartTimestamp: timeOfSlot(time, toSlot(epoch * SLOTS_PER_EPOCH)).unix,
    epoch,
    leaderScheduleEpoch: epoch + 1n,
    unixTimestamp: time.unix,
  });
  return { owner: SYSVAR_OWNER, lamports: rentExempt(data.length), data };
}
