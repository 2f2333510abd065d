import type { Ratio } from '../../base/numbers/decimal.ts';
import type { ChainTime, Slot, UnixSeconds } from '../../base/time.ts';

/** A time span between two samples without a gap. */
type SlotSpan = { readonly from: ChainTime; readonly to: ChainTime };

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

/** Slot durations change from one day to the next, so only samples within this number of seconds of one count for it. */
const WINDOW_SECONDS = 86_400n;

/**
 * The slot duration at each sample, measured from the samples of the day before and after it. That of all samples for one
 * without a neighbour. Buckets must ascend.
 */
export function slotDurations(
  rows: readonly Sampled[],
  bucketSeconds: bigint,
  usual: Ratio,
): readonly Ratio[] {
  const overall = measureSlotMs(contiguousSpans(rows, bucketSeconds), usual);
  const measured = new Map<string, Ratio>();
  return neighbours(rows, bucketSeconds).map(({ from, to }) => {
    if (from === to) return overall;
    const key = `${from.slot} ${to.slot}`;
    const known =
      measured.get(key) ?? measureSlotMs([{ from: timeOf(from), to: timeOf(to) }], usual);
    measured.set(key, known);
    return known;
  });
}

/** The first and last sample around each one that no gap and at most the window separates from it. */
function neighbours(
  rows: readonly Sampled[],
  bucketSeconds: bigint,
): readonly { readonly from: Sampled; readonly to: Sampled }[] {
  const isNext = (row: Sampled, next: Sampled | undefined): next is Sampled =>
    next !== undefined && next.bucket - row.bucket === bucketSeconds;
  let from = 0;
  let to = 0;
  return rows.map((row, i) => {
    const previous = rows[i - 1];
    if (previous === undefined || !isNext(previous, row)) from = i;
    while (row.bucket - (rows[from] ?? row).bucket > WINDOW_SECONDS) from += 1;
    to = Math.max(to, i);
    for (let last = rows[to] ?? row; ; last = rows[to] ?? row) {
      const next = rows[to + 1];
      if (!isNext(last, next) || next.bucket - row.bucket > WINDOW_SECONDS) break;
      to += 1;
    }
    return { from: rows[from] ?? row, to: rows[to] ?? row };
  });
}
