import type { VaultMetricsRow } from '@tidegate/client';
import { apiRequest, useResource } from '../../api/resource.ts';
import { Block } from '../../components/block.tsx';
import { Empty } from '../../components/empty.tsx';
import { Amount, Percent, Usd } from '../../components/number.tsx';
import { TableSkeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { BuildLink } from '../../routing/build-link.tsx';
import { PageLink } from '../../routing/link.tsx';
import { InterestBlock } from './value-blocks.tsx';
import type { WalletResources } from './wallet-resources.ts';
import { positionsOf, type VaultPosition } from './wallet-totals.ts';

const RATES_MS = 60_000;
const PROFIT_MS = 60_000;

export const EarnTab = (resources: WalletResources) => (
  <>
    <PositionsBlock {...resources} />
    <InterestBlock {...resources} />
  </>
);

/** The vault shares of a wallet. */
export function PositionsBlock({ address, portfolio }: WalletResources) {
  const rates = useResource(apiRequest('GET /kvaults/vaults/metrics'), { pollMs: RATES_MS });
  const isLoading = rates.data === undefined && rates.error === undefined;
  return (
    <Block title="Vaults" resources={[portfolio]} skeleton={<TableSkeleton rows={2} columns={6} />}>
      {(data) => (
        <Table
          id="positions"
          label="Vault positions"
          columns={columnsOf(address, rates.data?.result ?? [], isLoading)}
          rows={positionsOf(data)}
          keyOf={({ vault }) => vault}
          order="-value"
          empty={
            <Empty title="No vault shares">
              <PageLink page="vaults">See what vaults earn</PageLink>
            </Empty>
          }
        />
      )}
    </Block>
  );
}

function columnsOf(
  wallet: string,
  rates: readonly VaultMetricsRow[],
  isLoading: boolean,
): Column<VaultPosition>[] {
  const byVault = new Map(rates.map((row) => [row.kvault, row]));
  return [
    {
      key: 'vault',
      title: 'Vault',
      sortBy: ({ name }) => name,
      cell: ({ vault, name }) => (
        <PageLink page="vault" parameters={{ vault }}>
          {name}
        </PageLink>
      ),
    },
    {
      key: 'amount',
      title: 'Tokens',
      hint: 'What the shares are worth, in tokens of the vault',
      isNumber: true,
      cell: ({ amount, symbol }) => <Amount value={amount} unit={symbol} />,
    },
    {
      key: 'value',
      title: 'Value',
      isNumber: true,
      sortBy: ({ netValue }) => netValue,
      cell: ({ netValue }) => <Usd value={netValue} reason="the price is not known" />,
    },
    {
      key: 'apy',
      title: 'APY now',
      hint: 'Interest at the current rates, after fees and without rewards',
      isNumber: true,
      sortBy: ({ vault }) => byVault.get(vault)?.apy,
      cell: ({ vault }) =>
        isLoading ? (
          <span class="weak">…</span>
        ) : (
          <Percent value={byVault.get(vault)?.apy} reason="the rate cannot be read" />
        ),
    },
    {
      key: 'profit',
      title: 'Profit',
      hint: 'Value of the shares less what they cost, with profit of shares that were sold',
      isNumber: true,
      cell: ({ vault }) => <VaultProfit wallet={wallet} vault={vault} />,
    },
    {
      key: 'shares',
      title: 'Shares',
      isNumber: true,
      cell: ({ shares }) => <Amount value={shares} />,
    },
    {
      key: 'act',
      title: 'Act',
      cell: ({ vault }) => <VaultLinks wallet={wallet} vault={vault} />,
    },
  ];
}

type HolderProps = { readonly wallet: string; readonly vault: string };

const VaultLinks = (known: HolderProps) => (
  <span class="cell-actions">
    <BuildLink action="vault-deposit" known={known}>
      Deposit
    </BuildLink>
    <BuildLink action="vault-withdraw" known={known}>
      Withdraw
    </BuildLink>
  </span>
);

function VaultProfit({ wallet, vault }: HolderProps) {
  const { data, error } = useResource(
    apiRequest('GET /kvaults/users/{userPubkey}/vaults/{vaultPubkey}/pnl', {
      path: { userPubkey: wallet, vaultPubkey: vault },
    }),
    { pollMs: PROFIT_MS },
  );
  if (data === undefined && error === undefined) return <span class="weak">…</span>;
  return <Usd value={data?.totalPnl.usd} reason={error?.message} />;
}
