import type {
  FarmPendingRewards,
  MarketOraclePrices,
  PendingReward,
  Portfolio,
} from '@tidegate/client';
import { addDecimals, multiplyDecimals } from '@tidegate/client';
import { useVaults } from '../../api/directory.ts';
import { apiRequest, useResource, useResources } from '../../api/resource.ts';
import { Address } from '../../components/address.tsx';
import { Block } from '../../components/block.tsx';
import { Empty } from '../../components/empty.tsx';
import { areSettled, LoadingBlock } from '../../components/loading-page.tsx';
import { Amount, Usd } from '../../components/number.tsx';
import { TableSkeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { TokenIcon } from '../../components/token/token-icon.tsx';
import { shortenAddress } from '../../format/address.ts';
import { BuildLink } from '../../routing/build-link.tsx';
import { claimSource } from './claim-source.ts';
import { rewardPrices } from './reward-prices.ts';
import type { WalletResources } from './wallet-resources.ts';

const REWARDS_MS = 15_000;
const PRICES_MS = 60_000;

type Row = PendingReward & {
  readonly farm: FarmPendingRewards;
  readonly symbol: string;
  /** In USD; undefined if not known. */
  readonly value: string | undefined;
};

/** Rewards that the wallet can claim now. */
export function RewardsTab({ address, portfolio }: WalletResources) {
  const rewards = useResource(
    apiRequest('GET /portfolio/{pubkey}/rewards', { path: { pubkey: address } }),
    { pollMs: REWARDS_MS },
  );
  const mints = [
    ...new Set(rewards.data?.farms.flatMap((farm) => farm.rewards.map(({ mint }) => mint)) ?? []),
  ].sort();
  const tokens = useTokens(mints);
  const vaults = useVaults();
  if (!tokens.isSettled || !areSettled([rewards, vaults])) {
    return <LoadingBlock label="Rewards to claim" />;
  }
  const names = new Map(vaults.data?.map((vault) => [vault.address, vault.state.name]));
  return (
    <Block
      title="Rewards to claim"
      resources={[rewards]}
      skeleton={<TableSkeleton rows={2} columns={4} />}
    >
      {({ farms }) => {
        const rows = rowsOf(farms, tokens);
        return (
          <>
            <Total rows={rows} />
            <Table
              id="rewards"
              label="Rewards to claim"
              columns={[...columnsOf(names), claimColumn(address, portfolio.data)]}
              rows={rows}
              keyOf={({ farm, mint, index }) => `${farm.userState} ${mint} ${index}`}
              order="-value"
              empty={
                <Empty title="No rewards to claim">
                  Vaults and reserves with rewards add to this list with each slot.
                </Empty>
              }
            />
          </>
        );
      }}
    </Block>
  );
}

/** All rewards together, of which the value must be known. */
function Total({ rows }: { readonly rows: readonly Row[] }) {
  if (rows.length < 2) return null;
  const isKnown = rows.every(({ value }) => value !== undefined);
  const total = rows.reduce((sum, { value = '0' }) => addDecimals(sum, value), '0');
  return (
    <p>
      Together{' '}
      <Usd value={isKnown ? total : undefined} reason="a reward has no price in any market" />
    </p>
  );
}

type Tokens = {
  readonly isSettled: boolean;
  readonly symbols: ReadonlyMap<string, string>;
  /** USD per token. */
  readonly prices: ReadonlyMap<string, string>;
};

function useTokens(mints: readonly string[]): Tokens {
  const prices = useResource(
    mints.length === 0
      ? undefined
      : apiRequest('GET /oracles/prices', { query: { markets: 'all', mints: mints.join(',') } }),
    { pollMs: PRICES_MS },
  );
  const tokens = useResources(
    mints.map((mint) => apiRequest('GET /tokens-api/tokens', { query: { mint } })),
    { pollMs: 0 },
  );
  const markets = (prices.data ?? []) as readonly MarketOraclePrices[];
  return {
    isSettled: areSettled(mints.length === 0 ? tokens : [prices, ...tokens]),
    symbols: new Map(
      tokens.flatMap(({ data = [] }) => data.map(({ mint, symbol }) => [mint, symbol] as const)),
    ),
    prices: rewardPrices(markets),
  };
}

const rowsOf = (farms: readonly FarmPendingRewards[], { symbols, prices }: Tokens): Row[] =>
  farms.flatMap((farm) =>
    farm.rewards
      .filter(({ amount }) => Number(amount) > 0)
      .map((reward) => {
        const price = prices.get(reward.mint);
        return {
          ...reward,
          farm,
          symbol: symbols.get(reward.mint) ?? shortenAddress(reward.mint),
          value: price === undefined ? undefined : multiplyDecimals(reward.amount, price),
        };
      }),
  );

/** By address. */
type VaultNames = ReadonlyMap<string, string>;

const columnsOf = (names: VaultNames): readonly Column<Row>[] => [
  {
    key: 'reward',
    title: 'Reward',
    cell: ({ mint, symbol }) => (
      <>
        <TokenIcon mint={mint} symbol={symbol} />
        {symbol}
      </>
    ),
  },
  {
    key: 'amount',
    title: 'Amount',
    isNumber: true,
    cell: ({ amount, symbol }) => <Amount value={amount} unit={symbol} />,
  },
  {
    key: 'value',
    title: 'Value',
    isNumber: true,
    sortBy: ({ value }) => value,
    cell: ({ value }) => <Usd value={value} reason="no market has a price of this token" />,
  },
  { key: 'for', title: 'For', cell: ({ farm }) => <Purpose {...farm} names={names} /> },
  {
    key: 'farm',
    title: 'Farm',
    cell: ({ farm }) => <Address address={farm.farm} what="farm address" />,
  },
];

/** Claims are built for shares of vaults and for loans. */
const claimColumn = (wallet: string, portfolio: Portfolio | undefined): Column<Row> => ({
  key: 'act',
  title: 'Act',
  cell: ({ farm }) => {
    const source = claimSource(farm, portfolio);
    if ('reason' in source) return <span class="cell-note">{source.reason}.</span>;
    return (
      <BuildLink action="claim" known={{ wallet, ...source }}>
        Claim
      </BuildLink>
    );
  },
});

const LOAN_TYPES: readonly string[] = ['Borrow Markets', 'Multiply', 'Leverage'];

/** What is rewarded: shares of a vault, or a loan. */
function Purpose({
  positionType,
  vault,
  delegatee,
  names,
}: FarmPendingRewards & { readonly names: VaultNames }) {
  if (vault !== undefined) {
    return (
      <>
        {names.has(vault) ? '' : 'Vault '}
        <Address address={vault} name={names.get(vault)} page="vault" canCopy={false} />
      </>
    );
  }
  if (!LOAN_TYPES.includes(positionType)) return <>Staked tokens</>;
  return (
    <>
      Loan <Address address={delegatee} page="loan" canCopy={false} />
    </>
  );
}
