import type { ListedReserve } from '../../api/directory.ts';
import { apiRequest, mapResource, useResource } from '../../api/resource.ts';
import { Block } from '../../components/block.tsx';
import { LeverageTable } from '../../components/leverage-table.tsx';
import { TableSkeleton } from '../../components/skeleton.tsx';

const POLL_MS = 15_000;

type PairsBlockProps = {
  readonly reserve: ListedReserve;
  readonly reserves: readonly ListedReserve[];
};

/** Leveraged positions that have this reserve on one side. */
export function PairsBlock({ reserve: { reserve, market }, reserves }: PairsBlockProps) {
  const all = useResource(
    apiRequest('GET /svc-market/{pubkey}/leverage/metrics', {
      path: { pubkey: market.lendingMarket },
    }),
    { pollMs: POLL_MS },
  );
  const pairs = mapResource(all, (rows) =>
    rows.filter((row) => [row.depositReserve, row.borrowReserve].includes(reserve)),
  );
  const symbols = new Map(reserves.map((each) => [each.reserve, each.liquidityToken]));
  return (
    <Block title="Leverage" resources={[pairs]} skeleton={<TableSkeleton rows={4} columns={6} />}>
      {(rows) => <LeverageTable rows={rows} symbols={symbols} />}
    </Block>
  );
}
