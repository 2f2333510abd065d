import type { VaultAllocations, VaultMetricsPoint } from '@tidegate/client';
import { useMemo } from 'preact/hooks';
import { apiRequest, type Resource, useResource, withEstimates } from '../../api/resource.ts';
import { ChartBlock } from '../../charts/chart-block.tsx';
import { type Range, useRange } from '../../components/range.tsx';
import { shortenAddress } from '../../format/address.ts';
import { allocationHistory } from './allocation-history.ts';
import { ComparisonBlock } from './comparison-block.tsx';
import { sharePriceHistory } from './share-price-history.ts';
import type { VaultResources } from './vault-resources.ts';

const HISTORY_MS = 60_000;
const CHART_HEIGHT = 260;
const SMALL_HEIGHT = 220;

/** The vault over time: allocation, share price, and the comparison with lending. */
export function HistoryBlocks(resources: VaultResources) {
  const { address, allocations, reserves } = resources;
  const range = useRange('vault');
  const request = apiRequest('GET /kvaults/vaults/{pubkey}/metrics/history', {
    path: { pubkey: address },
    query: { start: range.start },
  });
  // only interest in dollars and SOL can be estimated, which no chart shows
  const history = withEstimates(useResource(request, { pollMs: HISTORY_MS }), []);
  const names = namesOf(allocations.data, reserves);
  return (
    <>
      <AllocationBlock history={history} names={names} range={range} />
      <SharePriceBlock history={history} />
      <ComparisonBlock allocations={allocations} history={history} start={range.start} />
    </>
  );
}

/** Names of reserves by address: the market, since all reserves of a vault are of one token. */
function namesOf(
  allocations: VaultAllocations | undefined,
  reserves: VaultResources['reserves'],
): ReadonlyMap<string, string> {
  const listed = reserves.map(({ reserve, market }) => [reserve, market.name] as const);
  const own = (allocations?.allocations ?? []).map(
    ({ reserve, marketName }) => [reserve, marketName] as const,
  );
  return new Map([...listed, ...own]);
}

type HistoryProps = { readonly history: Resource<readonly VaultMetricsPoint[]> };

const keyOf = (points: readonly VaultMetricsPoint[]): string =>
  `${points.length} ${points[0]?.timestamp} ${points.at(-1)?.timestamp}`;

type AllocationProps = HistoryProps & {
  readonly names: ReadonlyMap<string, string>;
  readonly range: Range;
};

function AllocationBlock({ history, names, range }: AllocationProps) {
  const points = history.data ?? [];
  const labels = uniqueLabels(points, names);
  const key = `${keyOf(points)} ${[...labels.values()].join()}`;
  // the newest point identifies the history
  const data = useMemo(
    () => allocationHistory(points, (reserve) => labels.get(reserve) ?? shortenAddress(reserve)),
    [key],
  );
  return (
    <ChartBlock
      id="vault"
      title="Allocation"
      label="Value of the vault in dollars over time, by reserve"
      resources={[history]}
      data={data}
      isStacked
      range={range}
      height={CHART_HEIGHT}
      intro={
        <p class="block-body weak small">After pending fees, which the TVL above still has.</p>
      }
    />
  );
}

/** A label is used once: two reserves in one market have their addresses beside it. */
function uniqueLabels(
  points: readonly VaultMetricsPoint[],
  names: ReadonlyMap<string, string>,
): Map<string, string> {
  const reserves = [
    ...new Set(points.flatMap((point) => point.reserves.map(({ pubkey }) => pubkey))),
  ];
  const counts = new Map<string, number>();
  for (const reserve of reserves) {
    const name = names.get(reserve) ?? '';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return new Map(
    reserves.map((reserve) => {
      const name = names.get(reserve);
      if (name === undefined) return [reserve, shortenAddress(reserve)];
      return [reserve, counts.get(name) === 1 ? name : `${name} ${shortenAddress(reserve)}`];
    }),
  );
}

function SharePriceBlock({ history }: HistoryProps) {
  const points = history.data ?? [];
  // the newest point identifies the history
  const data = useMemo(() => sharePriceHistory(points), [keyOf(points)]);
  return (
    <ChartBlock
      id="share"
      title="Share price"
      label="Dollars per share over time"
      resources={[history]}
      data={data}
      height={SMALL_HEIGHT}
    />
  );
}
