/** So many units of cost in any stretch of so many seconds. */
export type RateLimitPolicy = {
  /** Name in the `RateLimit` fields: `anonymous`, `loopback` or `key`. */
  readonly name: string;
  readonly quota: number;
  readonly windowSeconds: number;
  /** Its `RateLimit-Policy` field. */
  readonly field: string;
};

export type RateLimitResult = {
  readonly allowed: boolean;
  /** Units left after this call. */
  readonly remaining: number;
  /** Seconds until units come back: for a refused call until it would be allowed. */
  readonly resetSeconds: number;
};

/** Counts what callers spend. One process keeps it in memory; several share one behind the same interface. */
export type RateLimitStore = {
  readonly take: (
    caller: string,
    cost: number,
    policy: RateLimitPolicy,
  ) => RateLimitResult | Promise<RateLimitResult>;
};

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** A limit such as `600/1m`, `10/s` or `100000/24h` under a name; undefined when it is none. */
export function parseRateLimitPolicy(name: string, text: string): RateLimitPolicy | undefined {
  const [, quotaText, countText, unit] =
    /^([1-9]\d{0,8})\/([1-9]\d{0,3})?([smh])$/.exec(text) ?? [];
  const seconds = unitSeconds[unit ?? ''];
  if (quotaText === undefined || seconds === undefined) return undefined;
  const windowSeconds = Number(countText ?? 1) * seconds;
  const field = `"${name}";q=${quotaText};w=${windowSeconds}`;
  return { name, quota: Number(quotaText), windowSeconds, field };
}

/** The `RateLimit` field. */
export function formatRateLimitHeader(policy: RateLimitPolicy, verdict: RateLimitResult): string {
  return `"${policy.name}";r=${verdict.remaining};t=${verdict.resetSeconds}`;
}
