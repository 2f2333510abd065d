import { type Ratio, ratio } from '../base/decimal.ts';
import { powRatio } from '../base/power.ts';
import { addRatio, compareRatios, sumRatios, ZERO_RATIO } from '../base/ratio.ts';
import type { Slot } from '../base/time.ts';

/** What a stake pool held and had issued. */
export type PoolSample = {
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
export function viewEpochYields(samples: readonly PoolSample[], slotMs: Ratio): readonly Ratio[] {
  const last = new Map<bigint, PoolSample>();
  for (const sample of samples) {
    if (sample.lamports > 0n && sample.tokens > 0n) last.set(sample.slot / SLOTS_PER_EPOCH, sample);
  }
  const epochs = [...last];
  return epochs.slice(1).map(([epoch, to], i) => {
    const [before, from] = epochs[i] ?? [epoch, to];
    const growth = ratio(to.lamports * from.tokens, to.tokens * from.lamports);
    const perYear = ratio(
      MS_PER_YEAR * slotMs.denominator,
      SLOTS_PER_EPOCH * slotMs.numerator * (epoch - before),
    );
    return addRatio(powRatio(growth, perYear), ratio(-1n, 1n));
  });
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
