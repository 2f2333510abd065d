/** Results of replays in one period of time. */
export type ProofCounts = {
  readonly proven: number;
  readonly differing: number;
  /** By reason. */
  readonly notProvable: Readonly<Record<string, number>>;
};

type Windows<Value> = { readonly hour: Value; readonly day: Value; readonly sinceStart: Value };

/** Counts of observed transactions; `notTried`: those outside of the sample. */
export type TransactionCounts = ProofCounts & {
  readonly observed: number;
  readonly notTried: number;
};

/** Where the replay and the cluster differ. */
export type ProofDifference = {
  readonly address: string;
  readonly slot: string;
  readonly field: string;
  /** Of the replay. */
  readonly expected: string;
  /** Of the cluster. */
  readonly actual: string;
};

/** What is known of a subject under a release. */
export type ProofRow = ProofSubject &
  Windows<ProofCounts> & {
    readonly release: string;
    /** Null before the first proof. */
    readonly lastProven: { readonly slot: string; readonly at: number } | null;
    /** The largest difference so far; null if there is none. */
    readonly worst: ProofDifference | null;
  };

/** The accounts of one kind that an instruction wrote, or its outcome (`transaction`). */
export type ProofSubject = {
  readonly program: string;
  readonly instruction: string;
  readonly kind: string;
};

/** A stored slot that the replay does not explain. */
export type CounterexampleEntry = {
  readonly id: string;
  /** What differs. */
  readonly subjects: readonly ProofSubject[];
  /** Programs with the releases whose rules were applied. */
  readonly releases: Readonly<Record<string, string>>;
  readonly slot: string;
  /** Epoch milliseconds. */
  readonly foundAt: number;
  readonly difference: ProofDifference | null;
  /** Why it does not count any more; null if it does. */
  readonly explanation: string | null;
};

/** What a server has proven of the cluster that it follows. JSON, so that it passes between processes. */
export type ProofReport = {
  /** `waiting`: nothing was replayed yet. */
  readonly state: 'off' | 'waiting' | 'running';
  /** Whether all transactions are seen, or only accounts. */
  readonly hasTransactions: boolean;
  /** Everything up to this slot was replayed or left out; null before the first. */
  readonly slot: string | null;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly budgetPercent: number;
  /** CPU time of replays since the start in milliseconds. */
  readonly cpuMs: number;
  /** Programs with the releases whose rules are applied. */
  readonly releases: Readonly<Record<string, string>>;
  readonly transactions: Windows<TransactionCounts>;
  readonly rows: readonly ProofRow[];
  /** Newest first. */
  readonly counterexamples: readonly CounterexampleEntry[];
};

/** Percent of the observed transactions that are proven or differ; undefined if none was observed. */
export function coverageOf({
  observed,
  proven,
  differing,
}: Pick<TransactionCounts, 'observed' | 'proven' | 'differing'>): number | undefined {
  return observed === 0 ? undefined : ((proven + differing) * 100) / observed;
}

/** `report`: undefined while it is not known, or if nothing is replayed. */
export type ProofReader = { report(): ProofReport | undefined };
