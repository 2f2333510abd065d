import type { Ratio } from '../../base/numbers/decimal.ts';
import type { ChainTime, Slot, UnixSeconds } from '../../base/time.ts';

/** A stretch of time in which every slot was seen: from one snapshot to another. */
export type SlotSpan = { readonly from: ChainTime; readonly to: ChainTime };

/** The snapshot that a bucket of a series holds. */
type Sampled = {
  readonly bucket: UnixSeconds;
  readonly at: UnixSeconds;
  readonly slot: Slot;
};

/** From the first to the last of each row of buckets without a gap. Buckets ascend. */
export function contiguousSpans(rows: readonly Sampled[], bucketSeconds: bigint): SlotSpan[] {
  const stretches: SlotSpan[] = [];
  let start: Sampled | undefined;
  for (const [i, row] of rows.entries()) {
    start ??= row;
    const next = rows[i + 1];
    if (next !== undefined && next.bucket - row.bucket === bucketSeconds) continue;
    if (start !== row) stretches.push({ from: timeOf(start), to: timeOf(row) });
    start = undefined;
  }
  return stretches;
}

const timeOf = ({ at, slot }: Sampled): ChainTime => ({ unix: at, slot });

const MS_PER_SECOND = 1000n;

/**
 * How long slots took over some stretches of time. The chain's clock counts whole seconds, so that each stretch may
 * be off by one: as long as the usual duration is within what can be told, it is that one.
 */
export function measureSlotMs(stretches: readonly SlotSpan[], usual: Ratio): Ratio {
  let seconds = 0n;
  let slots = 0n;
  for (const { from, to } of stretches) {
    seconds += to.unix - from.unix;
    slots += to.slot - from.slot;
  }
  if (slots <= 0n || seconds <= 0n) return usual;
  const expectedMs = usual.numerator * slots;
  const differenceMs = seconds * MS_PER_SECOND * usual.denominator - expectedMs;
  const magnitude = differenceMs < 0n ? -differenceMs : differenceMs;
  const doubt = BigInt(stretches.length) * MS_PER_SECOND * usual.denominator;
  if (magnitude <= doubt) return usual;
  return { numerator: seconds * MS_PER_SECOND, denominator: slots };
}
