import { FRACTION_BITS } from '@tidegate/core/base';
import type { SumReport } from '../../clusters/drift-report.ts';
import type { SumDifference } from '../../indexer/sums/state-sums.ts';
import type { SumStatus } from '../../indexer/sums/sum-tally.ts';

/** Most open sums in a report. */
const LISTED = 20;

export function sumReportOf({ open, lastPass, waitingFor, found }: SumStatus): SumReport {
  const count = (of: SumDifference['of']) => open.filter((each) => each.of === of).length;
  return {
    open: open.slice(0, LISTED).map(({ since, ...each }) => ({
      ...each,
      difference: `${inBaseUnits(each)}`,
      since: `${since}`,
    })),
    counts: {
      debts: count('debts'),
      deposits: count('deposits'),
      activeStakes: count('activeStakes'),
      pendingStakes: count('pendingStakes'),
    },
    found,
    lastPass: lastPass === undefined ? null : { ...lastPass, slot: `${lastPass.slot}` },
    waitingFor: waitingFor ?? null,
  };
}

/** Debts have fractions, which are cut off. */
const inBaseUnits = ({ of, difference }: SumDifference): bigint =>
  of === 'debts' ? difference / (1n << FRACTION_BITS) : difference;
