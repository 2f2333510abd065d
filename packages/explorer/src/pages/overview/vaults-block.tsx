import type { ListedReserve } from '../../api/directory.ts';
import type { Vault, VaultMetricsRow } from '../../api/generated/operations.ts';
import { apiRequest, type Resource, useResource } from '../../api/resource.ts';
import { Sparkline } from '../../charts/sparkline.tsx';
import { Block } from '../../components/block.tsx';
import { Empty } from '../../components/empty.tsx';
import { Amount, Percent, Usd } from '../../components/number.tsx';
import { TableSkeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { sum } from '../../format/decimal.ts';
import { PageLink } from '../../routing/link.tsx';
import { vaultValue, withdrawableTokens } from './market-totals.ts';

export type VaultRow = {
  readonly metrics: VaultMetricsRow;
  readonly vault: Vault | undefined;
  readonly symbol: string;
  readonly estimated: readonly string[];
  readonly reserves: readonly ListedReserve[];
};

const columns: readonly Column<VaultRow>[] = [
  {
    key: 'name',
    title: 'Vault',
    sortBy: ({ vault }) => vault?.state.name,
    cell: ({ vault, metrics }) => (
      <PageLink page="vault" parameters={{ vault: metrics.kvault }}>
        {vault?.state.name ?? metrics.kvault}
      </PageLink>
    ),
  },
  {
    key: 'value',
    title: 'TVL',
    hint: 'All tokens of the vault, lent out or not',
    isNumber: true,
    sortBy: ({ metrics }) => vaultValue(metrics),
    cell: ({ metrics }) => <Usd value={vaultValue(metrics)} />,
  },
  {
    key: 'apy',
    title: 'APY now',
    hint: 'Interest at the current rates, after fees and without rewards',
    isNumber: true,
    sortBy: ({ metrics }) => metrics.apy,
    cell: ({ metrics }) => <Percent value={metrics.apy} />,
  },
  {
    key: 'rewards',
    title: 'Rewards',
    hint: 'Yearly rate of all reward tokens, in addition to the APY',
    isNumber: true,
    sortBy: ({ metrics }) => rewardsOf(metrics),
    cell: ({ metrics }) => <Percent value={rewardsOf(metrics)} />,
  },
  apyColumn('apy7d', '7 d'),
  apyColumn('apy30d', '30 d'),
  {
    key: 'withdrawable',
    title: 'Withdrawable now',
    hint: 'Tokens that the vault has, and that its reserves have not lent out',
    isNumber: true,
    cell: (row) => <Withdrawable {...row} />,
  },
  {
    key: 'spark',
    title: 'TVL, 30 d',
    cell: ({ metrics }) => <VaultSparkline vault={metrics.kvault} />,
  },
];

function apyColumn(field: 'apy7d' | 'apy30d', title: string): Column<VaultRow> {
  return {
    key: field,
    title,
    hint: `Growth of a share over ${title}, as a yearly rate`,
    isNumber: true,
    sortBy: ({ metrics }) => metrics[field],
    cell: ({ metrics, estimated }) => (
      <Percent value={metrics[field]} isEstimated={estimated.includes(field)} />
    ),
  };
}

const rewardsOf = ({
  apyFarmRewards,
  apyIncentives,
  apyReservesIncentives,
}: VaultMetricsRow): string => sum([apyFarmRewards, apyIncentives, apyReservesIncentives]);

const LIST_MS = 30_000;
const HISTORY_MS = 600_000;
const DAY_MS = 86_400_000;
const SPARK_DAYS = 30;

function Withdrawable({ metrics, symbol, reserves }: VaultRow) {
  const path = { pubkey: metrics.kvault };
  const { data, error } = useResource(
    apiRequest('GET /kvaults/vaults/{pubkey}/allocations', { path }),
    { pollMs: LIST_MS },
  );
  if (data === undefined && error === undefined) return <span class="weak">…</span>;
  const tokens = data && withdrawableTokens(data, reserves);
  return (
    <Amount value={tokens} unit={symbol} reason={error?.message ?? 'a reserve is not listed'} />
  );
}

function VaultSparkline({ vault }: { readonly vault: string }) {
  const today = Math.floor(Date.now() / DAY_MS);
  const start = new Date((today - SPARK_DAYS) * DAY_MS).toISOString();
  const { data } = useResource(
    apiRequest('GET /kvaults/vaults/{pubkey}/metrics/history', {
      path: { pubkey: vault },
      query: { start },
    }),
    { pollMs: HISTORY_MS },
  );
  const values = data?.map(({ tvl }) => tvl) ?? [];
  return <Sparkline label="Value of the vault in the last 30 days" values={values} />;
}

type VaultsBlockProps = {
  readonly metrics: Resource<readonly VaultMetricsRow[]>;
  readonly vaults: Resource<readonly Vault[]>;
  readonly reserves: readonly ListedReserve[];
};

export const VaultsBlock = ({ metrics, vaults, reserves }: VaultsBlockProps) => (
  <Block
    title="Vaults"
    resources={[metrics, vaults]}
    skeleton={<TableSkeleton rows={6} columns={columns.length} />}
  >
    {(rows, list) => (
      <Table
        id="vaults"
        label="Vaults"
        columns={columns}
        rows={vaultRows(rows, {
          list,
          reserves,
          estimated: metrics.freshness.flatMap((each) => each.estimated),
        })}
        keyOf={(row) => row.metrics.kvault}
        order="-value"
        empty={<Empty title="No vaults">This cluster has no earn vaults.</Empty>}
      />
    )}
  </Block>
);

type RowContext = Pick<VaultRow, 'reserves' | 'estimated'> & { readonly list: readonly Vault[] };

function vaultRows(metrics: readonly VaultMetricsRow[], { list, ...rest }: RowContext): VaultRow[] {
  const byAddress = new Map(list.map((vault) => [vault.address, vault]));
  const symbols = new Map(
    rest.reserves.map((reserve) => [reserve.liquidityTokenMint, reserve.liquidityToken]),
  );
  return metrics.map((each) => {
    const vault = byAddress.get(each.kvault);
    return {
      ...rest,
      metrics: each,
      vault,
      symbol: symbols.get(vault?.state.tokenMint ?? '') ?? '',
    };
  });
}
