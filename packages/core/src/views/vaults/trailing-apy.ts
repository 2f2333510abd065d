import { DAY_SECONDS } from '../../base/calendar.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import { addRatio, divRatioOrZero, ZERO_RATIO } from '../../base/numbers/ratio.ts';
import { powRatio } from '../../base/numbers/ratio-power.ts';
import { toUnixSeconds, type UnixSeconds } from '../../base/time.ts';

/** Whole tokens per whole share at a time; zero without shares. */
export type SharePoint = { readonly at: UnixSeconds; readonly tokensPerShare: Ratio };

const YEAR_SECONDS = 365n * DAY_SECONDS;

/** The length of each window. */
const WINDOW_DAYS = {
  apy24h: 1n,
  apy7d: 7n,
  apy30d: 30n,
  apy90d: 90n,
  apy180d: 180n,
  apy365d: 365n,
} as const;

export type TrailingWindow = keyof typeof WINDOW_DAYS;

/** Longest first. */
export const trailingWindows: readonly TrailingWindow[] = [
  'apy365d',
  'apy180d',
  'apy90d',
  'apy30d',
  'apy7d',
  'apy24h',
];

export type TrailingApys = Readonly<Record<TrailingWindow, Ratio>>;

/** The rates of all windows, and the windows whose rate was not counted over their own length. */
export type TrailingRates = {
  readonly apys: TrailingApys;
  /** Shortest first. */
  readonly estimated: readonly TrailingWindow[];
};

/** Rates of a vault that do not need history. */
export type VaultRates = {
  /** Undefined if the account has no creation time. */
  readonly createdAt: UnixSeconds | undefined;
  /** Growth of a share over the life of the vault; undefined if it is not known. */
  readonly lifetimeApy: Ratio | undefined;
  readonly apyActual: Ratio;
};

/** A sample this much older than the start of a window still counts as its start. */
const MAX_SAMPLE_AGE = 2n * 3_600n;

/** The start of a window. The rate uses the last point at or before it. */
export const windowStart = (window: TrailingWindow, now: UnixSeconds): UnixSeconds =>
  toUnixSeconds(now - WINDOW_DAYS[window] * DAY_SECONDS);

/**
 * The rates of all windows; `points` must ascend. A vault younger than a window uses its full age. Where the share price
 * at the start of a window is not known, the rate is an estimate: from the oldest known price if that is at least a day
 * and half of the window back, else the growth over the life of the vault, else the current rate. A few minutes are
 * never annualized.
 */
export function trailingRates(
  points: readonly SharePoint[],
  now: SharePoint,
  vault: VaultRates,
): TrailingRates {
  const usable = points.filter(({ tokensPerShare }) => tokensPerShare.numerator > 0n);
  const rates = new Map(
    trailingWindows.map((window) => [window, windowRate(window, { usable, now, vault })] as const),
  );
  const apyOf = (window: TrailingWindow): Ratio => rates.get(window)?.apy ?? ZERO_RATIO;
  return {
    apys: {
      apy24h: apyOf('apy24h'),
      apy7d: apyOf('apy7d'),
      apy30d: apyOf('apy30d'),
      apy90d: apyOf('apy90d'),
      apy180d: apyOf('apy180d'),
      apy365d: apyOf('apy365d'),
    },
    estimated: trailingWindows.filter((window) => rates.get(window)?.isEstimate).toReversed(),
  };
}

type WindowInput = {
  readonly usable: readonly SharePoint[];
  readonly now: SharePoint;
  readonly vault: VaultRates;
};

type WindowRate = { readonly apy: Ratio; readonly isEstimate: boolean };

function windowRate(window: TrailingWindow, { usable, now, vault }: WindowInput): WindowRate {
  if (now.tokensPerShare.numerator === 0n) return { apy: ZERO_RATIO, isEstimate: false };
  const { createdAt, lifetimeApy, apyActual } = vault;
  const start = windowStart(window, now.at);
  const then = usable.findLast(({ at }) => at <= start);
  if (then !== undefined) {
    return { apy: trailingApy(then, now), isEstimate: start - then.at > MAX_SAMPLE_AGE };
  }
  const [oldest] = usable;
  const isYounger = createdAt !== undefined && createdAt > start;
  if (isYounger && lifetimeApy !== undefined) return { apy: lifetimeApy, isEstimate: false };
  if (oldest !== undefined && isLongEnough(now.at - oldest.at, window)) {
    return { apy: trailingApy(oldest, now), isEstimate: true };
  }
  return { apy: lifetimeApy ?? apyActual, isEstimate: true };
}

const isLongEnough = (age: bigint, window: TrailingWindow): boolean =>
  age >= DAY_SECONDS && 2n * age >= WINDOW_DAYS[window] * DAY_SECONDS;

/**
 * The growth of a share in tokens since a point, as a yearly rate. Uses the actual age of the
 * point, so that a gap in the series does not count as a gain. An age below a day counts as a day,
 * because rounding errors would be multiplied by thousands. Zero if either point has no shares.
 */
export function trailingApy(then: SharePoint, now: SharePoint): Ratio {
  const growth = divRatioOrZero(now.tokensPerShare, then.tokensPerShare);
  if (growth.numerator === 0n) return ZERO_RATIO;
  const age = now.at - then.at;
  const yearly = powRatio(growth, {
    numerator: YEAR_SECONDS,
    denominator: age < DAY_SECONDS ? DAY_SECONDS : age,
  });
  return addRatio(yearly, { numerator: -1n, denominator: 1n });
}
