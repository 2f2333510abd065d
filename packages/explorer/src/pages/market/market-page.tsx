import type { MarketConfig, ReserveMetrics } from '@tidegate/client';
import { LIVE_MS } from '../../api/directory.ts';
import { isFinal } from '../../api/failure.ts';
import { apiRequest, type Resource, useResource, withoutPast } from '../../api/resource.ts';
import { Address } from '../../components/address.tsx';
import { Block } from '../../components/block.tsx';
import { NotFound } from '../../components/empty.tsx';
import { Bar } from '../../components/gauge/gauge.tsx';
import { Amount, Percent, Usd } from '../../components/number.tsx';
import { PageTitle } from '../../components/page-title.tsx';
import { StatsSkeleton } from '../../components/skeleton.tsx';
import { Stat, Stats } from '../../components/stat.tsx';
import { ratio, sum } from '../../format/decimal.ts';
import { formatUsd } from '../../format/number.ts';
import { PageLink } from '../../routing/link.tsx';
import type { PageProps } from '../page-props.ts';
import { LeverageBlock } from './leverage-block.tsx';
import { LiquidatableBlock } from './liquidatable-block.tsx';
import { MarketHistoryBlock, useMarketHistory } from './market-history-block.tsx';
import { OwnLoansBlock } from './own-loans-block.tsx';
import { ReservesBlock } from './reserves-block.tsx';
import './market.css';

const NAME_MS = 60_000;
const SHOWN_PARTS = 6;

/** One lending market and its reserves. */
export function MarketPage({ parameters }: PageProps) {
  const { market: pubkey = '' } = parameters;
  const path = { pubkey };
  const market = useResource(apiRequest('GET /v2/svc-market/{pubkey}', { path }), {
    pollMs: NAME_MS,
  });
  const reserves = useResource(apiRequest('GET /svc-market/{pubkey}/reserves/metrics', { path }), {
    pollMs: LIVE_MS,
  });
  const history = useMarketHistory(pubkey);
  if (market.error !== undefined && isFinal(market.error)) {
    return (
      <NotFound
        what={`Market ${pubkey}`}
        where={`The cluster has no such lending market. ${market.error.message}`}
      >
        <PageLink page="overview">To the overview</PageLink>
      </NotFound>
    );
  }
  return (
    <div class="page">
      <Title market={market} pubkey={pubkey} />
      <Block
        title="Totals"
        resources={[reserves, withoutPast(history.points)]}
        skeleton={
          <>
            <StatsSkeleton labels={['Supplied', 'Borrowed', 'Utilization', 'Loans']} />
            <div class="market-bar" />
          </>
        }
      >
        {(list, points) => <Totals reserves={list} loans={points.at(-1)?.metrics.obligations} />}
      </Block>
      <OwnLoansBlock market={pubkey} />
      <ReservesBlock market={pubkey} reserves={reserves} />
      <MarketHistoryBlock history={history} />
      <LiquidatableBlock market={pubkey} />
      <LeverageBlock pubkey={pubkey} reserves={reserves.data ?? []} />
    </div>
  );
}

type TitleProps = { readonly market: Resource<MarketConfig>; readonly pubkey: string };

const Title = ({ market, pubkey }: TitleProps) => (
  <div class="page-head">
    <div class="page-title">
      <PageTitle title={market.data?.name ?? 'Market'} />
      <Address address={pubkey} what="market address" />
      {market.data?.isPrimary && <span class="tag">primary</span>}
      {market.data?.isCurated && <span class="tag">curated</span>}
    </div>
    <p class="weak page-description">{market.data?.description ?? '…'}</p>
  </div>
);

type TotalsProps = {
  readonly reserves: readonly ReserveMetrics[];
  readonly loans: number | undefined;
};

function Totals({ reserves, loans }: TotalsProps) {
  const supplied = sum(reserves.map(({ totalSupplyUsd }) => totalSupplyUsd));
  const borrowed = sum(reserves.map(({ totalBorrowUsd }) => totalBorrowUsd));
  return (
    <>
      <Stats>
        <Stat label="Supplied">
          <Usd value={supplied} />
        </Stat>
        <Stat label="Borrowed">
          <Usd value={borrowed} />
        </Stat>
        <Stat label="Utilization" hint="Borrowed divided by supplied, in dollars">
          <Percent value={ratio(borrowed, supplied)} reason="nothing is supplied" />
        </Stat>
        <Stat label="Loans" hint="Loans with a deposit or a debt">
          <Amount value={loans} reason="the market has no history" />
        </Stat>
      </Stats>
      <div class="block-body market-bar">
        <Bar hasLegend label="Supplied by reserve" parts={suppliedParts(reserves)} />
      </div>
    </>
  );
}

/** The largest reserves, and the others as one part. */
function suppliedParts(reserves: readonly ReserveMetrics[]) {
  const sorted = reserves.toSorted((a, b) => Number(b.totalSupplyUsd) - Number(a.totalSupplyUsd));
  const shown = sorted
    .slice(0, SHOWN_PARTS - 1)
    .map(({ liquidityToken, totalSupplyUsd }, index) => ({
      name: `${liquidityToken} ${formatUsd(totalSupplyUsd).short}`,
      value: Number(totalSupplyUsd),
      color: index + 1,
    }));
  const rest = sum(sorted.slice(SHOWN_PARTS - 1).map(({ totalSupplyUsd }) => totalSupplyUsd));
  return [
    ...shown,
    { name: `Others ${formatUsd(rest).short}`, value: Number(rest), color: SHOWN_PARTS },
  ];
}
