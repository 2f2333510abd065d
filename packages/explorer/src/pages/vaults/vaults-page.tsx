import { useListedMarkets, useVaults } from '../../api/directory.ts';
import { apiRequest, mapResource, useResource, withoutPast } from '../../api/resource.ts';
import { Block } from '../../components/block.tsx';
import { areSettled, LoadingPage } from '../../components/loading-page.tsx';
import { Usd } from '../../components/number.tsx';
import { PageTitle } from '../../components/page-title.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Stat, Stats } from '../../components/stat.tsx';
import { sum } from '../../format/decimal.ts';
import { formatCount } from '../../format/number.ts';
import type { ListedVault } from '../../vaults/vault-columns.tsx';
import { totalValue } from '../../vaults/vault-figures.ts';
import { listVaults, useAllocations, VaultList } from '../../vaults/vault-list.tsx';

const METRICS_MS = 15_000;
const MARKETS_MS = 60_000;
const STATS_HEIGHT = 96;

/** All vaults: what they hold, what they earn, what can be withdrawn. */
export function VaultsPage() {
  const metrics = mapResource(
    useResource(apiRequest('GET /kvaults/vaults/metrics'), { pollMs: METRICS_MS }),
    ({ result }) => result,
  );
  const vaults = useVaults();
  const markets = useListedMarkets(MARKETS_MS);
  const allocations = useAllocations(metrics.data);
  if (!areSettled([metrics, vaults, markets, ...allocations]))
    return <LoadingPage title="Vaults" />;
  const rows = listVaults(metrics, {
    vaults: vaults.data ?? [],
    reserves: markets.data?.flatMap((market) => market.reserves ?? []) ?? [],
    allocations,
  });
  return (
    <div class="page">
      <div class="page-title">
        <PageTitle title="Vaults" />
      </div>
      <Block
        title="All vaults"
        resources={[withoutPast(metrics)]}
        skeleton={<Skeleton height={STATS_HEIGHT} />}
      >
        {() => <Totals rows={rows} />}
      </Block>
      <VaultList metrics={metrics} vaults={vaults} rows={rows} />
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
        hint="Tokens that vaults have, and deposits less debts of their reserves, which have a little more"
        note="at least"
      >
        <Usd
          value={known.length < rows.length ? undefined : sum(known)}
          reason="a reserve of a vault is not listed"
          isEstimated
        />
      </Stat>
    </Stats>
  );
}
