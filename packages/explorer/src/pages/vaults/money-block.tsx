import type { VaultAllocations } from '@tidegate/client';
import { Block } from '../../components/block.tsx';
import { Empty } from '../../components/empty.tsx';
import { Bar } from '../../components/gauge/gauge.tsx';
import { Amount, Percent, Unknown, Usd } from '../../components/number.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { divide } from '../../format/decimal.ts';
import { formatPercent } from '../../format/number.ts';
import { PageLink } from '../../routing/link.tsx';
import { type MoneyPart, moneyParts } from '../../vaults/vault-withdrawals.ts';
import type { VaultResources } from './vault-resources.ts';
import './vault.css';

const NOT_INVESTED = 'these tokens are in no reserve';
const HEIGHT = 184;
const MAX_COLORS = 5;
const IDLE_COLOR = 6;

/** Where the vault's tokens are, and how much of each part can be withdrawn now. */
export const MoneyBlock = ({ allocations, available, symbol }: VaultResources) => (
  <Block
    title="Where the money is"
    resources={[allocations]}
    skeleton={<Skeleton height={HEIGHT} />}
  >
    {(list) => {
      const parts = moneyParts(list, available);
      return (
        <>
          <div class="money-bar">
            <Bar label={barLabel(list)} parts={barParts(parts)} />
          </div>
          <Table
            id="money"
            label="Where the money is"
            columns={columnsOf(symbol)}
            rows={parts}
            keyOf={({ allocation }) => allocation?.reserve ?? ''}
            empty={<Empty title="No reserves">This vault lends to no reserve.</Empty>}
          />
        </>
      );
    }}
  </Block>
);

const fromPercent = (percent: string): string => divide(percent, '100') ?? '0';

const nameOf = ({ allocation }: MoneyPart): string =>
  allocation === undefined ? 'In no reserve' : `${allocation.symbol} in ${allocation.marketName}`;

function barLabel({ allocations, unallocated }: VaultAllocations): string {
  const percent = (value: string): string => formatPercent(fromPercent(value)).short;
  const parts = allocations.map(
    ({ marketName, actualPct }) => `${marketName} ${percent(actualPct)}`,
  );
  return [...parts, `in no reserve ${percent(unallocated.pct)}`].join(', ');
}

const barParts = (parts: readonly MoneyPart[]) =>
  parts.map((part, index) => ({
    name: `${nameOf(part)} ${part.allocation?.reserve ?? ''}`.trim(),
    value: Number(part.usd),
    color: part.allocation === undefined ? IDLE_COLOR : Math.min(index + 1, MAX_COLORS),
  }));

const columnsOf = (symbol: string): readonly Column<MoneyPart>[] => [
  {
    key: 'where',
    title: 'Where',
    cell: (part) =>
      part.allocation === undefined ? (
        nameOf(part)
      ) : (
        <PageLink page="reserve" parameters={{ reserve: part.allocation.reserve }}>
          {nameOf(part)}
        </PageLink>
      ),
  },
  {
    key: 'tokens',
    title: 'Tokens',
    isNumber: true,
    sortBy: ({ tokens }) => tokens,
    cell: ({ tokens }) => <Amount value={tokens} unit={symbol} />,
  },
  {
    key: 'usd',
    title: 'Value',
    isNumber: true,
    sortBy: ({ usd }) => usd,
    cell: ({ usd }) => <Usd value={usd} />,
  },
  percentColumn('part', 'Part', ({ actualPct }) => fromPercent(actualPct)),
  percentColumn('target', 'Target', ({ targetWeightPct }) => fromPercent(targetWeightPct)),
  {
    key: 'cap',
    title: 'Cap',
    hint: 'Most tokens that the vault lends to the reserve',
    isNumber: true,
    cell: ({ allocation }) => (
      <Amount
        value={allocation?.capTokenAmount}
        unit={symbol}
        reason={allocation === undefined ? NOT_INVESTED : 'there is no cap'}
      />
    ),
  },
  percentColumn('apy', 'Supply APY', ({ supplyApy }) => supplyApy),
  percentColumn('utilization', 'Utilization', ({ utilizationRatio }) => utilizationRatio),
  {
    key: 'withdrawable',
    title: 'Withdrawable now',
    hint: 'What the reserve has available, at most the tokens of the vault',
    isNumber: true,
    cell: ({ withdrawable }) => (
      <Amount value={withdrawable} unit={symbol} reason="the reserve cannot be read" />
    ),
  },
];

type Allocation = NonNullable<MoneyPart['allocation']>;

function percentColumn(
  key: string,
  title: string,
  pick: (allocation: Allocation) => string,
): Column<MoneyPart> {
  const value = ({ allocation }: MoneyPart): string | undefined => allocation && pick(allocation);
  return {
    key,
    title,
    isNumber: true,
    sortBy: value,
    cell: (part) =>
      part.allocation === undefined ? (
        <Unknown reason={NOT_INVESTED} />
      ) : (
        <Percent value={value(part)} />
      ),
  };
}
