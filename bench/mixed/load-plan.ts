/** Requests at fixed times, whether or not earlier ones are answered, and others that follow each other. */
export type LoadPlan = {
  readonly url: string;
  readonly seconds: number;
  readonly perSecond: number;
  readonly hot: readonly string[];
  readonly heavy: readonly string[];
  /** Share of heavy requests among the scheduled ones. */
  readonly heavyShare: number;
  /** Heavy requests that are always in progress beside the scheduled ones. */
  readonly parallel: number;
};

/** Milliseconds from the scheduled time to the last byte. */
export type Latencies = {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly slowest: number;
};

export type LoadReport = {
  /** All scheduled requests. */
  readonly all: Latencies;
  readonly hot: Latencies;
  readonly heavy: Latencies;
  readonly health: Latencies;
  /** Requests that follow each other; from their own start. */
  readonly parallel: Latencies;
  /** Requests without a complete response with status 200, and the first reasons. */
  readonly failures: number;
  readonly reasons: readonly string[];
};

export function latenciesOf(times: readonly number[]): Latencies {
  const sorted = Float64Array.from(times).sort();
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), slowest: at(1) };
}
