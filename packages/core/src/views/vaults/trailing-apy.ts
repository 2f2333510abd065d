import { DAY_SECONDS } from '../../base/calendar.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import { addRatio, divRatioOrZero, ZERO_RATIO } from '../../base/numbers/ratio.ts';
import { powRatio } from '../../base/numbers/ratio-power.ts';
import { toUnixSeconds, type UnixSeconds } from '../../base/time.ts';

/** Whole tokens for a whole share at a time; zero where there were no shares. */
export type SharePoint = { readonly at: UnixSeconds; readonly tokensPerShare: Ratio };

const YEAR_SECONDS = 365n * DAY_SECONDS;

/** How far back each rate looks. */
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
 * Where a window starts: the point to read is the last one that is not after it. Where there is none the vault is
 * younger than the window, and its first point with shares is the one.
 */
export const windowStart = (window: TrailingWindow, now: UnixSeconds): UnixSeconds =>
  toUnixSeconds(now - WINDOW_DAYS[window] * DAY_SECONDS);

/** The same for all windows from points in memory, which ascend. */
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
 * What a share gained since a point, in tokens, as a yearly rate. The real age of the point counts, so that a gap
 * in the series does not look like a gain; less than a day counts as a day, as rounding would otherwise be
 * multiplied by thousands. Zero where either has no shares.
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
