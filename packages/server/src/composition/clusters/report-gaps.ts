import type { PositionGapReport } from '../../clusters/position-gap-report.ts';
import { positionName } from '../../history/queries/position-gaps.ts';
import type { PositionKind } from '../../history/queries/position-kinds.ts';
import type { PositionChecker } from '../../indexer/reconciliation/position-checker.ts';

const MAX_LISTED = 20;

/** What a checker knows, for other processes and for people. */
export function reportGaps(
  checker: Pick<PositionChecker, 'gaps' | 'counts' | 'checkedSlot'>,
): PositionGapReport {
  const gaps = checker.gaps();
  const count = (kind: PositionKind) => gaps.filter(({ key }) => key.kind === kind).length;
  return {
    checkedSlot: checker.checkedSlot?.toString() ?? null,
    ...checker.counts,
    open: { loan: count('loan'), shares: count('shares'), stake: count('stake') },
    oldest: gaps.slice(0, MAX_LISTED).map(({ key, wallet, slot, at, foundAt, difference }) => ({
      kind: key.kind,
      position: positionName(key),
      wallet,
      slot: `${slot}`,
      since: `${at}`,
      foundAt,
      difference,
    })),
  };
}
