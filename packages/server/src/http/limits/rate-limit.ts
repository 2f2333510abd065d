/** At most `quota` units in any `windowSeconds`. */
export type RateLimitPolicy = {
  /** Name in the headers: `anonymous`, `loopback` or `key`. */
  readonly name: string;
  readonly quota: number;
  readonly windowSeconds: number;
  /** Value of the `RateLimit-Policy` header. */
  readonly field: string;
};

export type RateLimitResult = {
  readonly allowed: boolean;
  /** Units left after this call. */
  readonly remaining: number;
  /** Seconds until units return; for a rejected call, until it would be allowed. */
  readonly resetSeconds: number;
};

/** Counts units per caller. Several processes can share a store behind this interface. */
export type RateLimitStore = {
  readonly take: (
    caller: string,
    cost: number,
    policy: RateLimitPolicy,
  ) => RateLimitResult | Promise<RateLimitResult>;
  /** Whether other processes count the same units now. Absent for a store of one process. */
  readonly isShared?: () => boolean;
};

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** Parses a limit such as `600/1m`, `10/s` or `100000/24h`; undefined if invalid. */
export function parseRateLimitPolicy(name: string, text: string): RateLimitPolicy | undefined {
  const [, quotaText, countText, unit] =
    /^([1-9]\d{0,8})\/([1-9]\d{0,3})?([smh])$/.exec(text) ?? [];
  const seconds = unitSeconds[unit ?? ''];
  if (quotaText === undefined || seconds === undefined) return undefined;
  const windowSeconds = Number(countText ?? 1) * seconds;
  const field = `"${name}";q=${quotaText};w=${windowSeconds}`;
  return { name, quota: Number(quotaText), windowSeconds, field };
}

/** Value of the `RateLimit` header. */
export function formatRateLimitHeader(policy: RateLimitPolicy, result: RateLimitResult): string {
  return `"${policy.name}";r=${result.remaining};t=${result.resetSeconds}`;
}
