import { type Ratio, ratio } from '../../base/numbers/decimal.ts';
import { addRatio, compareRatios, sumRatios, ZERO_RATIO } from '../../base/numbers/ratio.ts';
import { powRatio } from '../../base/numbers/ratio-power.ts';
import type { Slot } from '../../base/time.ts';

/** What a stake pool held and had issued. */
export type StakePoolSample = {
  readonly slot: Slot;
  readonly lamports: bigint;
  readonly tokens: bigint;
};

const SLOTS_PER_EPOCH = 432_000n;
const MS_PER_YEAR = 31_536_000_000n;

/**
 * The yearly yield of each epoch, oldest first: by how much the token gained on the epoch before, or on the last
 * one that was sampled. Samples ascend.
 */
export const viewEpochYields = (
  samples: readonly StakePoolSample[],
  slotMs: Ratio,
): readonly Ratio[] =>
  yieldsOf(lastOfEpochs(samples), (from, to) => yieldBetween(from, to, slotMs));

/** The same as it was known in each of some slots, which ascend: of no more than so many newest epochs. */
export function viewEpochYieldsAtSlots(
  samples: readonly StakePoolSample[],
  slots: readonly Slot[],
  { slotMs, epochs }: { readonly slotMs: Ratio; readonly epochs: number },
): readonly (readonly Ratio[])[] {
  const known = new Map<string, Ratio>();
  const between: YieldBetween = (from, to) => {
    const key = `${from.slot} ${to.slot}`;
    const found = known.get(key) ?? yieldBetween(from, to, slotMs);
    known.set(key, found);
    return found;
  };
  const sampled: StakePoolSample[] = [];
  let next = 0;
  return slots.map((slot) => {
    for (let one = samples[next]; one !== undefined && one.slot <= slot; one = samples[++next]) {
      if (!isSound(one)) continue;
      // of the epoch that goes on the last one counts
      if (epochOf(sampled.at(-1)) === epochOf(one)) sampled.pop();
      sampled.push(one);
    }
    return yieldsOf(sampled.slice(-epochs - 1), between);
  });
}

type YieldBetween = (from: StakePoolSample, to: StakePoolSample) => Ratio;

function lastOfEpochs(samples: readonly StakePoolSample[]): readonly StakePoolSample[] {
  const last = new Map<bigint | undefined, StakePoolSample>();
  for (const sample of samples) if (isSound(sample)) last.set(epochOf(sample), sample);
  return [...last.values()];
}

const isSound = ({ lamports, tokens }: StakePoolSample): boolean => lamports > 0n && tokens > 0n;

const epochOf = (sample: StakePoolSample | undefined): bigint | undefined =>
  sample && sample.slot / SLOTS_PER_EPOCH;

const yieldsOf = (epochs: readonly StakePoolSample[], between: YieldBetween): readonly Ratio[] =>
  epochs.slice(1).map((to, i) => between(epochs[i] ?? to, to));

function yieldBetween(from: StakePoolSample, to: StakePoolSample, slotMs: Ratio): Ratio {
  const growth = ratio(to.lamports * from.tokens, to.tokens * from.lamports);
  const passed = to.slot / SLOTS_PER_EPOCH - from.slot / SLOTS_PER_EPOCH;
  const perYear = ratio(
    MS_PER_YEAR * slotMs.denominator,
    SLOTS_PER_EPOCH * slotMs.numerator * passed,
  );
  return addRatio(powRatio(growth, perYear), ratio(-1n, 1n));
}

/** Of an even number of them the mean of the two in the middle; zero of none. */
export function medianRatio(values: readonly Ratio[]): Ratio {
  const sorted = values.toSorted(compareRatios);
  const half = Math.floor(sorted.length / 2);
  return meanRatio(sorted.slice(sorted.length % 2 === 0 ? half - 1 : half, half + 1));
}

/** Zero of none. */
export function meanRatio(values: readonly Ratio[]): Ratio {
  if (values.length === 0) return ZERO_RATIO;
  const { numerator, denominator } = sumRatios(values);
  return { numerator, denominator: denominator * BigInt(values.length) };
}
