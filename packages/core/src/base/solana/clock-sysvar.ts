import { toAddress } from '../encoding/address.ts';
import { i64, struct, u64 } from '../encoding/layout.ts';
import { CodedError } from '../errors.ts';
import { type ChainTime, toSlot, toUnixSeconds } from '../time.ts';
import type { ClusterAccount } from './cluster-account.ts';

/** The sysvar account with the cluster's clock. It changes with every slot. */
export const CLOCK_SYSVAR = toAddress('SysvarC1ock11111111111111111111111111111111');

export const clock = struct({
  slot: u64,
  epochStartTimestamp: i64,
  epoch: u64,
  leaderScheduleEpoch: u64,
  unixTimestamp: i64,
});

export function decodeClockSysvar({ data }: ClusterAccount): ChainTime {
  if (data.length !== clock.size) {
    const reason = `it has ${data.length} bytes instead of ${clock.size}`;
    throw new CodedError('MALFORMED_DATA', { what: 'clock account', reason });
  }
  const source = new DataView(data.buffer, data.byteOffset, data.length);
  const { slot, unixTimestamp } = clock.decode(source, 0);
  return { slot: toSlot(slot), unix: toUnixSeconds(unixTimestamp) };
}
