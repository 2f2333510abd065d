import type { Ratio } from '../../base/numbers/decimal.ts';
import type { ChainTime, Slot, UnixSeconds } from '../../base/time.ts';

/** A time span between two samples without a gap. */
export type SlotSpan = { readonly from: ChainTime; readonly to: ChainTime };

/** The sample of a bucket. */
type Sampled = {
  readonly bucket: UnixSeconds;
  readonly at: UnixSeconds;
  readonly slot: Slot;
};

/** One span per run of consecutive buckets. Buckets must ascend. */
export function contiguousSpans(rows: readonly Sampled[], bucketSeconds: bigint): SlotSpan[] {
  const spans: SlotSpan[] = [];
  let start: Sampled | undefined;
  for (const [i, row] of rows.entries()) {
    start ??= row;
    const next = rows[i + 1];
    if (next !== undefined && next.bucket - row.bucket === bucketSeconds) continue;
    if (start !== row) spans.push({ from: timeOf(start), to: timeOf(row) });
    start = undefined;
  }
  return spans;
}

const timeOf = ({ at, slot }: Sampled): ChainTime => ({ unix: at, slot });

const MS_PER_SECOND = 1000n;

/**
 * The mean slot duration over some spans. The chain's clock has whole seconds, so each span may be
 * off by one; returns `usual` unless the difference exceeds that.
 */
export function measureSlotMs(spans: readonly SlotSpan[], usual: Ratio): Ratio {
  let seconds = 0n;
  let slots = 0n;
  for (const { from, to } of spans) {
    seconds += to.unix - from.unix;
    slots += to.slot - from.slot;
  }
  if (slots <= 0n || seconds <= 0n) return usual;
  const expectedMs = usual.numerator * slots;
  const differenceMs = seconds * MS_PER_SECOND * usual.denominator - expectedMs;
  const magnitude = differenceMs < 0n ? -differenceMs : differenceMs;
  const tolerance = BigInt(spans.length) * MS_PER_SECOND * usual.denominator;
  if (magnitude <= tolerance) return usual;
  return { numerator: seconds * MS_PER_SECOND, denominator: slots };
}
