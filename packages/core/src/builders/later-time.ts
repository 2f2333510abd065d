import { type ChainTime, toSlot, toUnixSeconds } from '../base/time.ts';
import type { ClusterReader } from '../state/cluster-reader.ts';

/** The time `slots` slots later, at the present slot duration. Rounded up to seconds. */
export function laterTime(
  { slot, unix }: ChainTime,
  slots: bigint,
  state: Pick<ClusterReader, 'slotMs'>,
): ChainTime {
  const { numerator, denominator } = state.slotMs();
  const msPerSecond = 1000n * denominator;
  const seconds = (slots * numerator + msPerSecond - 1n) / msPerSecond;
  return { slot: toSlot(slot + slots), unix: toUnixSeconds(unix + seconds) };
}
