import type { VaultMetricsRow } from '@tidegate/client';
import { apiRequest, useResource } from '../../api/resource.ts';
import { Block } from '../../components/block.tsx';
import { Empty } from '../../components/empty.tsx';
import { Amount, Percent, Unknown, Usd } from '../../components/number.tsx';
import { LoadingCell, TableSkeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { positionsOf, type VaultPosition } from '../../positions/own-positions.ts';
import { BuildLink } from '../../routing/build-link.tsx';
import { PageLink } from '../../routing/link.tsx';
import { rateWithRewards } from '../../vaults/vault-figures.ts';
import { InterestBlock } from './value-blocks.tsx';
import type { WalletResources } from './wallet-resources.ts';

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
      hint: 'Interest at the current rates, after fees and without rewards; below it with rewards, of which some need staked shares',
      isNumber: true,
      sortBy: ({ vault }) => byVault.get(vault)?.apy,
      cell: ({ vault }) =>
        isLoading ? (
          <LoadingCell notes={['with rewards']} />
        ) : (
          <VaultRates metrics={byVault.get(vault)} />
        ),
    },
    {
      key: 'profit',
      title: 'Profit',
      hint: 'Value of the shares less what they cost, with profit of shares that were sold: what the shares earned, and what the price of the token did. Rewards are not part of it',
      isNumber: true,
      cell: ({ vault, symbol }) => <VaultProfit wallet={wallet} vault={vault} symbol={symbol} />,
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

const VaultRates = ({ metrics }: { readonly metrics: VaultMetricsRow | undefined }) => (
  <>
    <Percent value={metrics?.apy} reason="the rate cannot be read" />
    {metrics !== undefined && (
      <span class="cell-note">
        <Percent value={rateWithRewards(metrics)} /> with rewards
      </span>
    )}
  </>
);

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

/** The profit, and what the shares and the price of the token have in it. */
function VaultProfit({ wallet, vault, symbol }: HolderProps & { readonly symbol: string }) {
  const { data, error } = useResource(
    apiRequest('GET /kvaults/users/{userPubkey}/vaults/{vaultPubkey}/pnl/breakdown', {
      path: { userPubkey: wallet, vaultPubkey: vault },
    }),
    { pollMs: PROFIT_MS },
  );
  if (data === undefined && error === undefined)
    return <LoadingCell notes={['yield', `price of ${symbol}`]} />;
  if (data === undefined) return <Unknown reason={error?.message} />;
  return (
    <>
      <Usd value={data.profitUsd} />
      <span class="cell-note">
        <Usd value={data.yield.usd} /> yield
      </span>
      <span class="cell-note">
        <Usd value={data.priceUsd} /> price of {symbol}
      </span>
    </>
  );
}
