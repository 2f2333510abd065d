export type IndexerTiming = {
  /** First pause after a failed read; it doubles. */
  readonly retryMs: number;
  /** Time without a new slot after which the stream counts as stalled. */
  readonly stallMs: number;
  /** How often maintenance checks for work. */
  readonly tickMs: number;
  readonly slotDurationEveryMs: number;
  /** Longest time that a request waits for a slot. */
  readonly waitMs: number;
  /** A wallet that is followed on demand is read again after this time. */
  readonly freshMs: number;
  /** Shortest time between two scans of loans, many of which are closed. Slow scans run less often. */
  readonly rescanObligationsMs: number;
  readonly rescanOthersMs: number;
  /** First pause before refused scans are tried again; it doubles, up to `maxScanRetryMs`. */
  readonly scanRetryMs: number;
  readonly maxScanRetryMs: number;
};

export const defaultIndexerTiming: IndexerTiming = {
  retryMs: 500,
  stallMs: 15_000,
  tickMs: 1_000,
  slotDurationEveryMs: 60_000,
  waitMs: 10_000,
  freshMs: 5_000,
  rescanObligationsMs: 2_000,
  rescanOthersMs: 600_000,
  scanRetryMs: 60_000,
  maxScanRetryMs: 1_800_000,
};
