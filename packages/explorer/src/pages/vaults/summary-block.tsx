import type { Vault, VaultMetrics } from '@tidegate/client';
import { multiplyDecimals } from '@tidegate/client';
import type { ComponentChildren } from 'preact';
import { withoutPast } from '../../api/resource.ts';
import { Address } from '../../components/address.tsx';
import { Block } from '../../components/block.tsx';
import { Amount, Percent, Price, Unknown, Usd } from '../../components/number.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Stat, Stats } from '../../components/stat.tsx';
import { Time } from '../../components/time.tsx';
import { divide } from '../../format/decimal.ts';
import { formatCount } from '../../format/number.ts';
import {
  rateWithRewards,
  rewardRate,
  totalValue,
  valueAfterFees,
} from '../../vaults/vault-figures.ts';
import { moneyParts, totalWithdrawable } from '../../vaults/vault-withdrawals.ts';
import type { VaultResources } from './vault-resources.ts';
import './vault.css';

const STATS_HEIGHT = 96;

/** The figures that a holder looks for first. */
export const SummaryBlock = ({ metrics, allocations, available, symbol }: VaultResources) => (
  <Block
    title="Now"
    resources={[withoutPast(metrics), allocations]}
    skeleton={<Skeleton height={STATS_HEIGHT} />}
  >
    {(figures, list) => (
      <Figures
        figures={figures}
        withdrawable={totalWithdrawable(moneyParts(list, available))}
        symbol={symbol}
      />
    )}
  </Block>
);

type FiguresProps = {
  readonly figures: VaultMetrics;
  /** In whole tokens; undefined if not known. */
  readonly withdrawable: string | undefined;
  readonly symbol: string;
};

const Figures = ({ figures, withdrawable, symbol }: FiguresProps) => (
  <Stats>
    <Stat
      label="TVL"
      hint="All tokens of the vault, lent out or not. Pending fees, which the manager has not withdrawn yet, are among them"
      note={
        <>
          <Usd value={valueAfterFees(figures)} /> after fees
        </>
      }
    >
      <Usd value={totalValue(figures)} />
    </Stat>
    <Stat label="APY now" hint="Interest at the current rates, after fees and without rewards">
      <Percent value={figures.apy} />
    </Stat>
    <Stat
      label="Rewards"
      hint="Yearly rate of all reward tokens, in addition to the APY; some need staked shares"
      note={
        <>
          <Percent value={rateWithRewards(figures)} /> with the APY
        </>
      }
    >
      <Percent value={rewardRate(figures)} />
    </Stat>
    <Stat
      label="Withdrawable now"
      hint="Tokens that the vault has, and that its reserves have available"
      note={<Amount value={withdrawable} unit={symbol} reason={UNREADABLE} />}
    >
      <Usd
        value={withdrawable && multiplyDecimals(withdrawable, figures.tokenPrice)}
        reason={UNREADABLE}
      />
    </Stat>
    <Stat label="Share price" hint="Dollars per share">
      <Price value={figures.sharePrice} />
    </Stat>
    <Stat label="Holders" hint="Wallets with shares, staked or not">
      {formatCount(figures.numberOfHolders)}
    </Stat>
  </Stats>
);

const UNREADABLE = 'a reserve cannot be read';
const NO_ACCOUNT = '11111111111111111111111111111111';
const BASIS_POINTS = '10000';
const FACTS_HEIGHT = 287;

/** What the vault charges, and who decides. */
export const FeesBlock = ({ vault, metrics, symbol }: VaultResources) => (
  <Block
    title="Fees and rules"
    resources={[vault, withoutPast(metrics)]}
    skeleton={<Skeleton height={FACTS_HEIGHT} />}
  >
    {(account, figures) => (
      <dl class="vault-facts">
        {factsOf(account, figures, symbol).map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    )}
  </Block>
);

const fromBasisPoints = (points: number): string => divide(String(points), BASIS_POINTS) ?? '0';

type Fact = { readonly name: string; readonly value: ComponentChildren };

function factsOf({ state }: Vault, figures: VaultMetrics, symbol: string): Fact[] {
  return [
    {
      name: 'Of interest',
      value: <Percent value={fromBasisPoints(state.performanceFeeBps)} />,
    },
    {
      name: 'Of all tokens, per year',
      value: <Percent value={fromBasisPoints(state.managementFeeBps)} />,
    },
    {
      name: 'Interest earned so far',
      value: <Amount value={figures.cumulativeInterestEarned} unit={symbol} />,
    },
    {
      name: 'Fees on interest so far',
      value: <Amount value={figures.cumulativePerformanceFees} unit={symbol} />,
    },
    {
      name: 'Fees on tokens so far',
      value: <Amount value={figures.cumulativeManagementFees} unit={symbol} />,
    },
    { name: 'Allocation decided by', value: administrator(state.allocationAdmin) },
    { name: 'Created', value: <Time value={1000 * state.creationTimestamp} /> },
  ];
}

const administrator = (address: string) =>
  address === NO_ACCOUNT ? (
    <Unknown reason="no account is set" />
  ) : (
    <Address address={address} page="wallet" what="wallet address" />
  );
