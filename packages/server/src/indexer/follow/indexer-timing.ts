export type IndexerTiming = {
  /** First pause after a failed reading; it doubles. */
  readonly retryMs: number;
  /** Without a slot for so long, the stream stands still. */
  readonly stallMs: number;
  /** How often upkeep is looked for. */
  readonly tickMs: number;
  readonly slotMsEveryMs: number;
  /** Longest wait of a request for a slot. */
  readonly waitMs: number;
  /** A wallet that is followed on demand is read again after this. */
  readonly freshMs: number;
  /** Loans, of which many are closed, are read again this often at most; less often where it takes long. */
  readonly checkLoansMs: number;
  readonly checkOthersMs: number;
};

export const defaultIndexerTiming: IndexerTiming = {
  retryMs: 500,
  stallMs: 15_000,
  tickMs: 1_000,
  slotMsEveryMs: 60_000,
  waitMs: 10_000,
  freshMs: 5_000,
  checkLoansMs: 2_000,
  checkOthersMs: 600_000,
};
