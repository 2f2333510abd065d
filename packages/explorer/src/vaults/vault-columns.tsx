import type { VaultMetricsRow } from '@tidegate/client';
import { apiRequest, useResource } from '../api/resource.ts';
import { Sparkline } from '../charts/sparkline.tsx';
import { Amount, Percent, Usd } from '../components/number.tsx';
import { useSeen } from '../components/seen.ts';
import type { Column } from '../components/table.tsx';
import { TokenIcon } from '../components/token/token-icon.tsx';
import { shortenAddress } from '../format/address.ts';
import { PageLink } from '../routing/link.tsx';
import { rateWithRewards, rewardRate, totalValue } from './vault-figures.ts';

export type ListedVault = {
  readonly metrics: VaultMetricsRow;
  readonly name: string | undefined;
  /** Of the token; undefined if the vault is not known. */
  readonly mint: string | undefined;
  readonly symbol: string;
  readonly estimated: readonly string[];
  /** In whole tokens and in USD; undefined if not known. */
  readonly withdrawable: string | undefined;
  readonly withdrawableUsd: string | undefined;
  /** Why it is not known. */
  readonly unknownReason: string;
};

export const listColumns: readonly Column<ListedVault>[] = [
  {
    key: 'name',
    title: 'Vault',
    sortBy: ({ name }) => name,
    cell: ({ name, metrics, mint, symbol }) => (
      <>
        {mint !== undefined && <TokenIcon mint={mint} symbol={symbol} />}
        <PageLink page="vault" parameters={{ vault: metrics.kvault }}>
          {name ?? shortenAddress(metrics.kvault)}
        </PageLink>
      </>
    ),
  },
  {
    key: 'value',
    title: 'TVL',
    hint: 'All tokens of the vault, lent out or not, with pending fees',
    isNumber: true,
    sortBy: ({ metrics }) => totalValue(metrics),
    cell: ({ metrics }) => <Usd value={totalValue(metrics)} />,
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
    sortBy: ({ metrics }) => rewardRate(metrics),
    cell: ({ metrics }) => <Percent value={rewardRate(metrics)} />,
  },
  {
    key: 'together',
    title: 'With rewards',
    hint: 'APY now and rewards together; some rewards need staked shares',
    isNumber: true,
    sortBy: ({ metrics }) => rateWithRewards(metrics),
    cell: ({ metrics }) => <Percent value={rateWithRewards(metrics)} />,
  },
  apyColumn('apy7d', '7 d'),
  apyColumn('apy30d', '30 d'),
  {
    key: 'withdrawable',
    title: 'Withdrawable now',
    hint: 'Tokens that the vault has, and deposits less debts of its reserves, which have a little more: at least this much. Sorted by value',
    isNumber: true,
    sortBy: ({ withdrawableUsd }) => withdrawableUsd,
    cell: ({ withdrawable, symbol, unknownReason }) => (
      <Amount value={withdrawable} unit={symbol} reason={unknownReason} isEstimated />
    ),
  },
  {
    key: 'spark',
    title: 'TVL, 30 d',
    cell: ({ metrics }) => <ValueSparkline vault={metrics.kvault} />,
  },
];

function apyColumn(field: 'apy7d' | 'apy30d', title: string): Column<ListedVault> {
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

const HISTORY_MS = 600_000;
const DAY_MS = 86_400_000;
const SPARK_DAYS = 30;

function ValueSparkline({ vault }: { readonly vault: string }) {
  const [cell, isSeen] = useSeen<HTMLDivElement>();
  const today = Math.floor(Date.now() / DAY_MS);
  const start = new Date((today - SPARK_DAYS) * DAY_MS).toISOString();
  const request = apiRequest('GET /kvaults/vaults/{pubkey}/metrics/history', {
    path: { pubkey: vault },
    query: { start },
  });
  const { data } = useResource(isSeen ? request : undefined, { pollMs: HISTORY_MS });
  const values = data?.map(({ tvl }) => tvl) ?? [];
  return (
    <div ref={cell}>
      <Sparkline label="Value of the vault in the last 30 days" values={values} />
    </div>
  );
}
