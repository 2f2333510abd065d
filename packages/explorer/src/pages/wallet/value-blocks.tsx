import type { NetValuePoint, UserEarnTotalsPoint } from '@tidegate/client';
import { useMemo } from 'preact/hooks';
import { apiRequest, type Resource, useResource } from '../../api/resource.ts';
import { ChartBlock } from '../../charts/chart-block.tsx';
import type { ChartData } from '../../charts/chart-data.ts';
import { useRange } from '../../components/range.tsx';
import type { WalletResources } from './wallet-resources.ts';
import { interestChart, isStackable, netValueChart } from './wallet-totals.ts';

const HISTORY_MS = 600_000;
const CHART_HEIGHT = 220;

/** The value of the wallet over time. */
export function NetValueBlock({ address }: WalletResources) {
  const range = useRange('wallet');
  const history = useResource(
    apiRequest('GET /owners/{pubkey}/net-values/history', {
      path: { pubkey: address },
      query: { start: range.start },
    }),
    { pollMs: HISTORY_MS },
  );
  const data = useChart<NetValuePoint>(history, netValueChart);
  return (
    <ChartBlock
      id="wallet"
      title="Value over time"
      label="Value of the wallet's vault shares and loans in dollars over time"
      resources={[history]}
      data={data}
      isStacked={isStackable(data)}
      range={range}
      height={CHART_HEIGHT}
      empty="The wallet had no loans and no vault shares in this range."
    />
  );
}

/** What the vaults of the wallet earned, over time. */
export function InterestBlock({ address }: WalletResources) {
  const range = useRange('earned');
  const history = useResource(
    apiRequest('GET /kvaults/users/{pubkey}/metrics/history', {
      path: { pubkey: address },
      query: { start: range.start },
    }),
    { pollMs: HISTORY_MS },
  );
  return (
    <ChartBlock
      id="earned"
      title="Earned in vaults over time"
      label="Interest that the wallet earned in vaults in dollars over time"
      resources={[history]}
      data={useChart<UserEarnTotalsPoint>(history, interestChart)}
      range={range}
      height={CHART_HEIGHT}
      intro={
        <p class="block-body weak small">
          Interest alone, each interval at the prices of its time, less fees as they accrue. The
          profit of a vault also has what the price of its token did.
        </p>
      }
      empty="The wallet had no vault shares in this range."
    />
  );
}

function useChart<Point extends { readonly createdOn: string }>(
  { data: points = [] }: Resource<readonly Point[]>,
  toData: (points: readonly Point[]) => ChartData,
): ChartData {
  const key = `${points.length} ${points[0]?.createdOn} ${points.at(-1)?.createdOn}`;
  // the first and newest points identify the history
  return useMemo(() => toData(points), [key]);
}
