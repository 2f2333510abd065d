import type { ReserveSnapshotMetrics } from '@tidegate/client';
import type { Resource } from '../../api/resource.ts';
import { Block } from '../../components/block.tsx';
import { Facts } from '../../components/facts.tsx';
import { Percent, Unknown } from '../../components/number.tsx';

/** The settings of the reserve with one sentence each. */
export const RiskBlock = ({ current }: { readonly current: Resource<ReserveSnapshotMetrics> }) => (
  <Block title="Risk and fees" resources={[current]} skeleton={<Facts rows={factsOf(undefined)} />}>
    {(metrics) => <Facts rows={factsOf(metrics)} />}
  </Block>
);

/** While it loads, the values are missing. */
const factsOf = (
  metrics: ReserveSnapshotMetrics | undefined,
): Parameters<typeof Facts>[0]['rows'] => [
  [
    'Max LTV',
    <Percent key="ltv" value={metrics?.loanToValue} />,
    'How much can be borrowed against a deposit of this token.',
  ],
  [
    'Liquidation LTV',
    <Percent key="threshold" value={metrics?.liquidationThreshold} />,
    'Above this part of the deposit, a loan can be liquidated.',
  ],
  [
    'Liquidation bonus',
    <Range key="bonus" from={metrics?.minLiquidationBonus} to={metrics?.maxLiquidationBonus} />,
    'What a liquidator gets on top, more for worse loans.',
  ],
  [
    'Borrow factor',
    <Percent key="factor" value={metrics && metrics.borrowFactor / 100} />,
    'How much a debt of this token counts against the limit of a loan.',
  ],
  [
    'Share of the protocol',
    <Percent key="take" value={metrics?.protocolTakeRate} />,
    'Part of the interest that depositors do not get.',
  ],
  [
    'Borrow fee',
    <Percent key="fee" value={metrics?.borrowFeePercentage} />,
    'Paid once, when a loan is taken.',
  ],
  [
    'Flash loan fee',
    <Percent key="flash" value={metrics?.flashLoanFeePercentage} />,
    'Paid for a loan that is repaid in the same transaction.',
  ],
  [
    'Status',
    metrics?.status ?? <Unknown key="status" />,
    'Obsolete and hidden reserves take no new deposits.',
  ],
];

type RangeProps = { readonly from: number | undefined; readonly to: number | undefined };

const Range = ({ from, to }: RangeProps) =>
  from === undefined || to === undefined ? (
    <Unknown />
  ) : (
    <>
      <Percent value={from} /> – <Percent value={to} />
    </>
  );
