import type {
  AccountProof,
  FieldDifference,
  ReplayedReleases,
  ReplayVerdict,
  SlotProof,
  TransactionProof,
} from '@tidegate/localnet/replay';
import type {
  ProofCounts,
  ProofDifference,
  ProofRow,
  ProofSubject,
  TransactionCounts,
} from '../clusters/proof-report.ts';
import { WindowedCounter, type WindowedCounts } from './windowed-counter.ts';

/** The kind of a row about the outcome of transactions: their error, and balances of tokens. */
export const OUTCOME = 'transaction';

type Row = ProofSubject & {
  readonly release: string;
  readonly counter: WindowedCounter;
  lastProven: { readonly slot: string; readonly at: number } | null;
  worst: (ProofDifference & { readonly size: number }) | null;
};

type Verdict = Pick<AccountProof, 'verdict' | 'reason' | 'differences'>;

/** Where and when something was replayed. */
export type ProofContext = {
  readonly slot: bigint;
  readonly releases: ReplayedReleases;
  /** Epoch milliseconds. */
  readonly now: number;
};

/** More than any program has instructions and releases. */
const MAX_ROWS = 2_000;
const OBSERVED = 'observed';
const NOT_TRIED = 'notTried';

/** Counts what replays show, by release, program, instruction and kind of account. */
export class ProofResults {
  readonly #rows = new Map<string, Row>();
  readonly #transactions = new WindowedCounter();

  /** Transactions of a slot that is not replayed. */
  skip(transactions: number, now: number): void {
    this.#transactions.add(OBSERVED, now, transactions);
    this.#transactions.add(NOT_TRIED, now, transactions);
  }

  add({ accounts, transactions }: SlotProof, context: ProofContext): void {
    for (const account of accounts) this.#addAccount(account, context);
    for (const transaction of transactions) this.#addTransaction(transaction, accounts, context);
  }

  transactions(now: number): {
    readonly hour: TransactionCounts;
    readonly day: TransactionCounts;
    readonly sinceStart: TransactionCounts;
  } {
    return mapWindows(this.#transactions.read(now), toTransactionCounts);
  }

  rows(now: number): ProofRow[] {
    return [...this.#rows.values()]
      .map(({ program, release, instruction, kind, counter, lastProven, worst }) => ({
        ...{ program, release, instruction, kind, lastProven },
        worst: worst && withoutSize(worst),
        ...mapWindows(counter.read(now), toCounts),
      }))
      .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  }

  #addAccount(account: AccountProof, context: ProofContext): void {
    const { program, kind, address } = account;
    for (const subject of subjectsOf(account)) {
      this.#count({ program, kind, instruction: subject }, account, { ...context, address });
    }
  }

  /** A transaction is proven if its outcome and every account that it wrote is. */
  #addTransaction(
    transaction: TransactionProof,
    accounts: readonly AccountProof[],
    context: ProofContext,
  ): void {
    const { signature } = transaction;
    for (const { program, instruction } of transaction.calls) {
      const subject = { program, instruction, kind: OUTCOME };
      this.#count(subject, transaction, { ...context, address: signature });
    }
    const written = accounts.filter(({ signatures }) => signatures.includes(signature));
    const verdict = [...written, transaction].reduce<Verdict>(worseOf, transaction);
    this.#transactions.add(OBSERVED, context.now);
    this.#transactions.add(outcomeOf(verdict), context.now);
  }

  #count(
    subject: ProofSubject,
    verdict: Verdict,
    context: ProofContext & { readonly address: string },
  ): void {
    const release = releaseOf(subject.program, context.releases);
    const row = this.#rowOf(subject, release);
    if (row === undefined) return;
    const { slot, now, address } = context;
    row.counter.add(outcomeOf(verdict), now);
    if (verdict.verdict === 'proven') row.lastProven = { slot: `${slot}`, at: now };
    for (const difference of verdict.differences ?? []) {
      if (verdict.verdict !== 'differing') break;
      const size = sizeOfDifference(difference);
      if (row.worst !== null && row.worst.size >= size) continue;
      row.worst = { ...toProofDifference(difference, { address, slot }), size };
    }
  }

  #rowOf(subject: ProofSubject, release: string): Row | undefined {
    const key = keyOf({ ...subject, release });
    const known = this.#rows.get(key);
    if (known !== undefined || this.#rows.size >= MAX_ROWS) return known;
    const { program, instruction, kind } = subject;
    const counter = new WindowedCounter();
    const row = { program, instruction, kind, release, counter, lastProven: null, worst: null };
    this.#rows.set(key, row);
    return row;
  }
}

/** What a slot counts as different. */
export const differingSubjects = ({ accounts, transactions }: SlotProof): ProofSubject[] => [
  ...accounts
    .filter(({ verdict }) => verdict === 'differing')
    .flatMap((account) =>
      subjectsOf(account).map((instruction) => ({
        program: account.program,
        instruction,
        kind: account.kind,
      })),
    ),
  ...transactions
    .filter(({ verdict }) => verdict === 'differing')
    .flatMap(({ calls }) => calls.map((call) => ({ ...call, kind: OUTCOME }))),
];

const releaseOf = (program: string, releases: ReplayedReleases): string =>
  Object.entries(releases).find(([name]) => name === program)?.[1] ?? 'unknown';

export function toProofDifference(
  { field, expected, actual }: FieldDifference,
  { address, slot }: { readonly address: string; readonly slot: bigint },
): ProofDifference {
  return { address, slot: `${slot}`, field, expected, actual };
}

const subjectsOf = ({ instructions }: AccountProof): readonly string[] =>
  instructions.length === 0 ? ['none'] : [...new Set(instructions)];

const order: readonly ReplayVerdict[] = ['proven', 'notProvable', 'differing'];

const worseOf = (a: Verdict, b: Verdict): Verdict =>
  order.indexOf(b.verdict) > order.indexOf(a.verdict) ? b : a;

const outcomeOf = ({ verdict, reason }: Verdict): string =>
  verdict === 'notProvable' ? `${verdict}:${reason ?? 'unknown'}` : verdict;

const keyOf = ({
  program,
  release,
  instruction,
  kind,
}: ProofSubject & { readonly release: string }): string =>
  [program, release, instruction, kind].join('|');

const withoutSize = ({ size: _, ...difference }: ProofDifference & { readonly size: number }) =>
  difference;

/** From 0 to 1: relative to the larger of two numbers, 1 for anything else. */
function sizeOfDifference({ expected, actual }: FieldDifference): number {
  const [a, b] = [Number(expected), Number(actual)];
  if (!Number.isFinite(a) || !Number.isFinite(b)) return 1;
  const larger = Math.max(Math.abs(a), Math.abs(b));
  return larger === 0 ? 0 : Math.abs(a - b) / larger;
}

const mapWindows = <Value>(
  { hour, day, sinceStart }: WindowedCounts,
  read: (counts: WindowedCounts['hour']) => Value,
) => ({ hour: read(hour), day: read(day), sinceStart: read(sinceStart) });

const NOT_PROVABLE = 'notProvable:';

function toCounts(counts: WindowedCounts['hour']): ProofCounts {
  const reasons = [...counts].filter(([outcome]) => outcome.startsWith(NOT_PROVABLE));
  return {
    proven: counts.get('proven') ?? 0,
    differing: counts.get('differing') ?? 0,
    notProvable: Object.fromEntries(
      reasons.map(([outcome, count]) => [outcome.slice(NOT_PROVABLE.length), count]),
    ),
  };
}

const toTransactionCounts = (counts: WindowedCounts['hour']): TransactionCounts => ({
  ...toCounts(counts),
  observed: counts.get(OBSERVED) ?? 0,
  notTried: counts.get(NOT_TRIED) ?? 0,
});
