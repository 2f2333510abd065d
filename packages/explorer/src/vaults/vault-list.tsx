import type { Vault, VaultAllocations, VaultMetricsRow } from '@tidegate/client';
import { multiplyDecimals } from '@tidegate/client';
import type { ListedReserve } from '../api/directory.ts';
import { apiRequest, type Resource, useResources, withEstimates } from '../api/resource.ts';
import { Block } from '../components/block.tsx';
import { Empty } from '../components/empty.tsx';
import { TableSkeleton } from '../components/skeleton.tsx';
import { Table } from '../components/table.tsx';
import { type ListedVault, listColumns } from './vault-columns.tsx';
import { vaultTokenSymbol } from './vault-token.ts';
import { estimateAvailable, moneyParts, totalWithdrawable } from './vault-withdrawals.ts';

const ALLOCATIONS_MS = 60_000;
/** Columns that can be estimated. */
const SHOWN_RATES = ['apy7d', 'apy30d'];

/** Where each vault has its tokens, in the order of the metrics. */
export const useAllocations = (metrics: readonly VaultMetricsRow[] = []) =>
  useResources(
    metrics.map(({ kvault }) =>
      apiRequest('GET /kvaults/vaults/{pubkey}/allocations', { path: { pubkey: kvault } }),
    ),
    { pollMs: ALLOCATIONS_MS },
  );

type ListContext = {
  readonly vaults: readonly Vault[];
  readonly reserves: readonly ListedReserve[];
  /** In the order of the metrics. */
  readonly allocations: readonly Resource<VaultAllocations>[];
};

export function listVaults(
  { data = [], freshness }: Resource<readonly VaultMetricsRow[]>,
  { vaults, reserves, allocations }: ListContext,
): ListedVault[] {
  const byAddress = new Map(vaults.map((vault) => [vault.address, vault]));
  const available = estimateAvailable(reserves);
  const estimated = freshness.flatMap((each) => each.estimated);
  return data.map((metrics, index) => {
    const vault = byAddress.get(metrics.kvault);
    const { data: parts, error } = allocations[index] ?? {};
    const withdrawable = parts && totalWithdrawable(moneyParts(parts, available));
    return {
      metrics,
      name: vault?.state.name,
      mint: vault?.state.tokenMint,
      symbol: vaultTokenSymbol(vault, reserves),
      estimated,
      withdrawable,
      unknownReason: error?.message ?? (parts ? 'a reserve is not listed' : 'loading'),
      withdrawableUsd: withdrawable && multiplyDecimals(withdrawable, metrics.tokenPrice),
    };
  });
}

type VaultListProps = {
  readonly metrics: Resource<readonly VaultMetricsRow[]>;
  readonly vaults: Resource<readonly Vault[]>;
  readonly rows: readonly ListedVault[];
};

/** The table of all vaults. */
export const VaultList = ({ metrics, vaults, rows }: VaultListProps) => (
  <Block
    title="Vaults"
    resources={[withEstimates(metrics, SHOWN_RATES), vaults]}
    skeleton={
      <>
        <TableSkeleton rows={6} columns={listColumns.length} />
        <WithdrawableNote />
      </>
    }
  >
    {() => (
      <>
        <Table
          id="vaults"
          label="Vaults"
          columns={listColumns}
          rows={rows}
          keyOf={(row) => row.metrics.kvault}
          order="-value"
          empty={<Empty title="No vaults">This cluster has no earn vaults.</Empty>}
        />
        {rows.length > 0 && <WithdrawableNote />}
      </>
    )}
  </Block>
);

const WithdrawableNote = () => (
  <p class="block-body weak small">
    * Withdrawable now: at least this much; exact on the vault’s page.
  </p>
);
