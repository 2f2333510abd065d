import { type Ratio, ratio } from '../../base/numbers/decimal.ts';
import { addRatio, compareRatios, sumRatios, ZERO_RATIO } from '../../base/numbers/ratio.ts';
import { powRatio } from '../../base/numbers/ratio-power.ts';
import type { Slot, UnixSeconds } from '../../base/time.ts';
import { measureSlotMs } from '../series/slot-duration.ts';

/** Lamports and issued tokens of a stake pool. */
export type StakePoolSample = {
  readonly slot: Slot;
  /** Undefined if only its epoch is known. */
  readonly at?: UnixSeconds;
  readonly lamports: bigint;
  readonly tokens: bigint;
};

export const SLOTS_PER_EPOCH = 432_000n;
const MS_PER_YEAR = 31_536_000_000n;

/**
 * The yearly yield of each epoch, oldest first: the growth since the previous sampled epoch.
 * `samples` must ascend. `slotMs` is the slot duration unless the times of the samples show another one.
 */
export const viewEpochYields = (
  samples: readonly StakePoolSample[],
  slotMs: Ratio,
): readonly Ratio[] =>
  yieldsOf(lastOfEpochs(samples), (from, to) => yieldBetween(from, to, slotMs));

/** The growth in one epoch, as a yearly yield. */
export type EpochYield = { readonly epoch: bigint; readonly apy: Ratio };

/** The yield of each sampled epoch with its number, oldest first. `samples` must ascend. */
export function viewNumberedEpochYields(
  samples: readonly StakePoolSample[],
  slotMs: Ratio,
): readonly EpochYield[] {
  const epochs = lastOfEpochs(samples);
  const yields = yieldsOf(epochs, (from, to) => yieldBetween(from, to, slotMs));
  return epochs.slice(1).flatMap(({ slot }, index) => {
    const apy = yields[index];
    return apy === undefined ? [] : { epoch: slot / SLOTS_PER_EPOCH, apy };
  });
}

/** The yields known at each slot, for at most `epochs` newest epochs. `slots` must ascend. */
export function viewEpochYieldsAtSlots(
  samples: readonly StakePoolSample[],
  slots: readonly Slot[],
  { slotMs, epochs }: { readonly slotMs: Ratio; readonly epochs: number },
): readonly (readonly Ratio[])[] {
  const cache = new Map<string, Ratio>();
  const between: YieldBetween = (from, to) => {
    const key = `${from.slot} ${to.slot}`;
    const found = cache.get(key) ?? yieldBetween(from, to, slotMs);
    cache.set(key, found);
    return found;
  };
  const sampled: StakePoolSample[] = [];
  let next = 0;
  return slots.map((slot) => {
    for (
      let sample = samples[next];
      sample !== undefined && sample.slot <= slot;
      sample = samples[++next]
    ) {
      if (!isValid(sample)) continue;
      // The last sample of an epoch replaces earlier ones.
      if (epochOf(sampled.at(-1)) === epochOf(sample)) sampled.pop();
      sampled.push(sample);
    }
    return yieldsOf(sampled.slice(-epochs - 1), between);
  });
}

type YieldBetween = (from: StakePoolSample, to: StakePoolSample) => Ratio;

function lastOfEpochs(samples: readonly StakePoolSample[]): readonly StakePoolSample[] {
  const last = new Map<bigint | undefined, StakePoolSample>();
  for (const sample of samples) if (isValid(sample)) last.set(epochOf(sample), sample);
  return [...last.values()];
}

const isValid = ({ lamports, tokens }: StakePoolSample): boolean => lamports > 0n && tokens > 0n;

const epochOf = (sample: StakePoolSample | undefined): bigint | undefined =>
  sample && sample.slot / SLOTS_PER_EPOCH;

const yieldsOf = (epochs: readonly StakePoolSample[], between: YieldBetween): readonly Ratio[] =>
  epochs.slice(1).map((to, i) => between(epochs[i] ?? to, to));

function yieldBetween(from: StakePoolSample, to: StakePoolSample, slotMs: Ratio): Ratio {
  const growth = ratio(to.lamports * from.tokens, to.tokens * from.lamports);
  const passed = to.slot / SLOTS_PER_EPOCH - from.slot / SLOTS_PER_EPOCH;
  const { numerator, denominator } = slotMsBetween(from, to, slotMs);
  const perYear = ratio(MS_PER_YEAR * denominator, SLOTS_PER_EPOCH * numerator * passed);
  return addRatio(powRatio(growth, perYear), ratio(-1n, 1n));
}

function slotMsBetween(from: StakePoolSample, to: StakePoolSample, usual: Ratio): Ratio {
  if (from.at === undefined || to.at === undefined) return usual;
  const span = {
    from: { slot: from.slot, unix: from.at },
    to: { slot: to.slot, unix: to.at },
  };
  return measureSlotMs([span], usual);
}

/** The mean of the two middle values for an even count; zero if empty. */
export function medianRatio(values: readonly Ratio[]): Ratio {
  const sorted = values.toSorted(compareRatios);
  const half = Math.floor(sorted.length / 2);
  return meanRatio(sorted.slice(sorted.length % 2 === 0 ? half - 1 : half, half + 1));
}

/** Zero if empty. */
export function meanRatio(values: readonly Ratio[]): Ratio {
  if (values.length === 0) return ZERO_RATIO;
  const { numerator, denominator } = sumRatios(values);
  return { numerator, denominator: denominator * BigInt(values.length) };
}
