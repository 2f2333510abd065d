import type { Portfolio } from '@tidegate/client';
import { Block } from '../../components/block.tsx';
import { Empty } from '../../components/empty.tsx';
import { Amount, Usd } from '../../components/number.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Stat, Stats } from '../../components/stat.tsx';
import { formatCount } from '../../format/number.ts';
import { loansOf } from '../../loans/wallet-loans.ts';
import { positionsOf } from '../../positions/own-positions.ts';
import { PageLink } from '../../routing/link.tsx';
import { PositionsBlock } from './earn-tab.tsx';
import { LoansBlock } from './loans-tab.tsx';
import { NetValueBlock } from './value-blocks.tsx';
import type { WalletResources } from './wallet-resources.ts';
import { isEmptyWallet, walletTotals } from './wallet-totals.ts';

/** What the wallet has, whether it is safe, and how it developed. */
export function SummaryTab(resources: WalletResources) {
  const { portfolio } = resources;
  const isEmpty = portfolio.data !== undefined && isEmptyWallet(portfolio.data);
  return (
    <>
      <Block title="Now" resources={[portfolio]} skeleton={<Skeleton height={STATS_HEIGHT} />}>
        {(data) => (isEmpty ? <EmptyWallet /> : <Totals portfolio={data} />)}
      </Block>
      {!isEmpty && (
        <>
          <LoansBlock {...resources} />
          <PositionsBlock {...resources} />
          <NetValueBlock {...resources} />
        </>
      )}
    </>
  );
}

const EmptyWallet = () => (
  <Empty title="Nothing in this wallet">
    <p>
      This address has no loans, vault shares or staked tokens in this cluster. What it did before
      is under Activity.
    </p>
    <p>
      <PageLink page="vaults">See what vaults earn</PageLink>
    </p>
  </Empty>
);

const STATS_HEIGHT = 96;
const NO_PRICE = 'a price is not known';

function Totals({ portfolio }: { readonly portfolio: Portfolio }) {
  const { total, loans, vaults, others, lowestHealth } = walletTotals(portfolio);
  return (
    <Stats>
      <Stat label="Net value" hint="All of the other figures, debts taken off">
        <Usd value={total} reason={NO_PRICE} />
      </Stat>
      <Stat
        label="Loans, net"
        hint="Deposits less debts"
        note={countText(loansOf(portfolio).length, 'loan')}
      >
        <Usd value={loans} reason={NO_PRICE} />
      </Stat>
      <Stat label="Vaults" note={countText(positionsOf(portfolio).length, 'vault')}>
        <Usd value={vaults} reason={NO_PRICE} />
      </Stat>
      <Stat label="Staked and other" hint="Staked tokens, and deposits that secure no loan">
        <Usd value={others} reason={NO_PRICE} />
      </Stat>
      <Stat
        label="Lowest health"
        hint="Of the loan that is closest to liquidation; 1 or less can be liquidated"
      >
        <Amount value={lowestHealth} reason="no loan has debt" />
      </Stat>
    </Stats>
  );
}

const countText = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
