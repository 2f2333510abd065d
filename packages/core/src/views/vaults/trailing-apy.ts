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

/**
 * The start of a window. The rate uses the last point at or before it; for a vault younger than the
 * window, the first point with shares.
 */
export const windowStart = (window: TrailingWindow, now: UnixSeconds): UnixSeconds =>
  toUnixSeconds(now - WINDOW_DAYS[window] * DAY_SECONDS);

/** The rates of all windows; `points` must ascend. */
export function trailingApys(points: readonly SharePoint[], now: SharePoint): TrailingApys {
  const usable = points.filter(({ tokensPerShare }) => tokensPerShare.numerator > 0n);
  const apyOf = (window: TrailingWindow): Ratio => {
    const start = windowStart(window, now.at);
    const then = usable.findLast(({ at }) => at <= start) ?? usable[0];
    return then === undefined ? ZERO_RATIO : trailingApy(then, now);
  };
  return {
    apy24h: apyOf('apy24h'),
    apy7d: apyOf('apy7d'),
    apy30d: apyOf('apy30d'),
    apy90d: apyOf('apy90d'),
    apy180d: apyOf('apy180d'),
    apy365d: apyOf('apy365d'),
  };
}

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
