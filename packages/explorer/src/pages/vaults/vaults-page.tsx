import { type ListedReserve, useListedMarkets, useVaults } from '../../api/directory.ts';
import type { Vault, VaultAllocations, VaultMetricsRow } from '../../api/generated/operations.ts';
import {
  apiRequest,
  mapResource,
  type Resource,
  useResource,
  useResources,
  withoutPast,
} from '../../api/resource.ts';
import { Block } from '../../components/block.tsx';
import { Empty } from '../../components/empty.tsx';
import { areSettled, LoadingPage } from '../../components/loading-page.tsx';
import { Usd } from '../../components/number.tsx';
import { Skeleton, TableSkeleton } from '../../components/skeleton.tsx';
import { Stat, Stats } from '../../components/stat.tsx';
import { Table } from '../../components/table.tsx';
import { multiply, sum } from '../../format/decimal.ts';
import { formatCount } from '../../format/number.ts';
import { type ListedVault, listColumns, totalValue } from './vault-columns.tsx';
import { moneyParts, totalWithdrawable } from './vault-withdrawals.ts';

const METRICS_MS = 15_000;
const ALLOCATIONS_MS = 60_000;
const STATS_HEIGHT = 76;

/** All vaults: what they hold, what they earn, what can be withdrawn. */
export function VaultsPage() {
  const metrics = mapResource(
    useResource(apiRequest('GET /kvaults/vaults/metrics'), { pollMs: METRICS_MS }),
    ({ result }) => result,
  );
  const vaults = useVaults();
  const markets = useListedMarkets(ALLOCATIONS_MS);
  const allocations = useResources(
    (metrics.data ?? []).map(({ kvault }) =>
      apiRequest('GET /kvaults/vaults/{pubkey}/allocations', { path: { pubkey: kvault } }),
    ),
    { pollMs: ALLOCATIONS_MS },
  );
  if (!areSettled([metrics, vaults, markets, ...allocations]))
    return <LoadingPage title="Vaults" />;
  const rows = listVaults(metrics, {
    vaults: vaults.data ?? [],
    reserves: markets.data?.flatMap((market) => market.reserves ?? []) ?? [],
    allocations: allocations.map(({ data }) => data),
  });
  return (
    <div class="page">
      <div class="page-title">
        <h1>Vaults</h1>
      </div>
      <Block
        title="All vaults"
        resources={[withoutPast(metrics)]}
        skeleton={<Skeleton height={STATS_HEIGHT} />}
      >
        {() => <Totals rows={rows} />}
      </Block>
      <Block
        title="Vaults"
        resources={[metrics, vaults]}
        skeleton={<TableSkeleton rows={6} columns={8} />}
      >
        {() => (
          <Table
            id="vaults"
            label="Vaults"
            columns={listColumns}
            rows={rows}
            keyOf={(row) => row.metrics.kvault}
            order="-value"
            empty={<Empty title="No vaults">This cluster has no earn vaults.</Empty>}
          />
        )}
      </Block>
    </div>
  );
}

function Totals({ rows }: { readonly rows: readonly ListedVault[] }) {
  const known = rows.flatMap(({ withdrawableUsd }) => withdrawableUsd ?? []);
  return (
    <Stats>
      <Stat label="Vaults">{formatCount(rows.length)}</Stat>
      <Stat label="TVL" hint="All tokens of all vaults, lent out or not">
        <Usd value={sum(rows.map(({ metrics }) => totalValue(metrics)))} />
      </Stat>
      <Stat
        label="Withdrawable now"
        hint="Tokens that vaults have, and that their reserves have not lent out"
      >
        <Usd
          value={known.length < rows.length ? undefined : sum(known)}
          reason="a reserve of a vault is not listed"
        />
      </Stat>
    </Stats>
  );
}

type ListContext = {
  readonly vaults: readonly Vault[];
  readonly reserves: readonly ListedReserve[];
  /** In the order of the metrics; undefined if they cannot be read. */
  readonly allocations: readonly (VaultAllocations | undefined)[];
};

function listVaults(
  { data = [], freshness }: Resource<readonly VaultMetricsRow[]>,
  { vaults, reserves, allocations }: ListContext,
): ListedVault[] {
  const byAddress = new Map(vaults.map((vault) => [vault.address, vault]));
  const estimated = freshness.flatMap((each) => each.estimated);
  return data.map((metrics, index) => {
    const vault = byAddress.get(metrics.kvault);
    const list = allocations[index];
    const withdrawable = list && totalWithdrawable(moneyParts(list, reserves));
    return {
      metrics,
      name: vault?.state.name,
      symbol: symbolOf(vault, reserves),
      estimated,
      withdrawable,
      withdrawableUsd: withdrawable && multiply(withdrawable, metrics.tokenPrice),
    };
  });
}

const symbolOf = (vault: Vault | undefined, reserves: readonly ListedReserve[]): string =>
  reserves.find(({ liquidityTokenMint }) => liquidityTokenMint === vault?.state.tokenMint)
    ?.liquidityToken ?? '';
