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
  /** Shortest time between two listings of loans, many of which are closed. Slow listings run less often. */
  readonly rescanObligationsMs: number;
  readonly rescanOthersMs: number;
  /** A set is listed or polled at most once per this many times the duration of the last time. */
  readonly readCost: number;
  /** Time between two slots, in addition to `stallMs`, if the source sends no updates. */
  readonly pollMs: number;
  /** Shortest time between two reads of what changed in loans and stakes, if the source sends no updates. */
  readonly pollUsersMs: number;
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
  readCost: 100,
  pollMs: 15_000,
  pollUsersMs: 120_000,
  scanRetryMs: 60_000,
  maxScanRetryMs: 1_800_000,
};
