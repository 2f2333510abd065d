import type { ReserveMetrics } from '@tidegate/client';
import { apiRequest, useResource } from '../../api/resource.ts';
import { Block } from '../../components/block.tsx';
import { LeverageTable } from '../../components/leverage-table.tsx';
import { TableSkeleton } from '../../components/skeleton.tsx';

const POLL_MS = 15_000;

type LeverageBlockProps = {
  readonly pubkey: string;
  readonly reserves: readonly ReserveMetrics[];
};

export function LeverageBlock({ pubkey, reserves }: LeverageBlockProps) {
  const leverage = useResource(
    apiRequest('GET /svc-market/{pubkey}/leverage/metrics', { path: { pubkey } }),
    { pollMs: POLL_MS },
  );
  const symbols = new Map(reserves.map(({ reserve, liquidityToken }) => [reserve, liquidityToken]));
  return (
    <Block
      title="Leverage"
      resources={[leverage]}
      skeleton={<TableSkeleton rows={6} columns={6} />}
    >
      {(rows) => <LeverageTable rows={rows} symbols={symbols} />}
    </Block>
  );
}
