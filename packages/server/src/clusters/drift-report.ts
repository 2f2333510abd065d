import { type Slot, toSlot } from '@tidegate/core/base';
import type { AccountKind } from '@tidegate/core/state';
import type { UnprovenReason } from './unproven-kinds.ts';

/** Accounts of a kind that differed from the chain and were put right, since the start. Times are epoch milliseconds. */
type KindDriftReport = {
  readonly kind: AccountKind;
  /** By the source of updates that lost them. */
  readonly accounts: Readonly<Record<string, number>>;
  /** Null when all accounts of the kind have been compared since the last difference. */
  readonly open: {
    /** Slot of the read that found the first one. */
    readonly since: string;
    readonly foundAt: number;
    readonly accounts: number;
  } | null;
  readonly lastHealedAt: number;
};

/** Times are epoch milliseconds. */
type DriftPassReport = {
  readonly scope: 'programs' | 'users';
  readonly everySeconds: number;
  /** Start of the first pass. */
  readonly since: number;
  readonly startedAt: number;
  readonly endsAt: number;
  /** Null before the first pass that compared everything. */
  readonly lastEndedAt: number | null;
};

/** A sum over positions that is not what its reserve or farm says. */
type OpenSumReport = {
  readonly of: 'debts' | 'deposits' | 'activeStakes' | 'pendingStakes';
  /** The reserve or farm. */
  readonly address: string;
  /** What it says, less the sum: base units, and shares times 10^18 of stakes that are not delegated. */
  readonly difference: string;
  readonly since: string;
  readonly foundAt: number;
  /** How often all of its positions were compared with the chain since. */
  readonly comparisons: number;
};

export type SumReport = {
  /** The first ones, by slot. */
  readonly open: readonly OpenSumReport[];
  /** Of all, by what is summed. */
  readonly counts: Readonly<Record<OpenSumReport['of'], number>>;
  readonly found: number;
  /** Null before the first pass that compared all. */
  readonly lastPass: {
    readonly slot: string;
    readonly endedAt: number;
    readonly cpuMs: number;
  } | null;
  /** Null while nothing hinders. */
  readonly waitingFor: string | null;
};

/** What comparisons of state with the chain have found. JSON, so that it passes between processes. */
export type DriftReport = {
  readonly kinds: readonly KindDriftReport[];
  readonly passes: readonly DriftPassReport[];
  /** Undefined if the process that follows the cluster is of an earlier version. */
  readonly sums?: SumReport;
};

/** `report`: undefined while it is not known, or if nothing is compared. */
export type DriftReader = { report(): DriftReport | undefined };

/** Kinds whose accounts may still differ. */
export const driftReasons = (report: DriftReport | undefined): readonly UnprovenReason[] => [
  ...lossReasons(report),
  ...sumReasons(report?.sums),
];

const lossReasons = (report: DriftReport | undefined): readonly UnprovenReason[] =>
  (report?.kinds ?? []).flatMap(({ kind, open }): readonly UnprovenReason[] => {
    if (open === null) return [];
    const since: Slot = toSlot(BigInt(open.since));
    const detail = `updates were lost: ${open.accounts} accounts were put right, others are being compared`;
    return [{ kind, code: 'stateDrift', detail, since }];
  });

/** One reason per kind of positions. */
function sumReasons(sums: SumReport | undefined): readonly UnprovenReason[] {
  const open = (sums?.open ?? []).filter((each) => !isSurplus(each));
  return (['obligation', 'farmUser'] as const).flatMap((kind): readonly UnprovenReason[] => {
    const ofKind = open.filter(({ of }) => (kind === 'obligation') === isOfLoans(of));
    const [first] = ofKind;
    if (first === undefined) return [];
    const detail = `the sum of ${first.of} of ${first.address} differs by ${first.difference}`;
    const others = ofKind.length > 1 ? `, and ${ofKind.length - 1} others differ` : '';
    const since = toSlot(BigInt(first.since));
    return [{ kind, code: 'sumsDiffer', detail: `${detail}${others}`, since }];
  });
}

const isOfLoans = (of: OpenSumReport['of']): boolean => of === 'debts' || of === 'deposits';

/** Anybody can send cTokens to a vault. If no loan is missing, that is what has happened. */
const isSurplus = ({ of, difference, comparisons }: OpenSumReport): boolean =>
  of === 'deposits' && !difference.startsWith('-') && comparisons > 0;
