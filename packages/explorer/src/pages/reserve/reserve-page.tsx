import type { ReserveSnapshotMetrics } from '@tidegate/client';
import { LIVE_MS, type ListedReserve, useListedMarkets } from '../../api/directory.ts';
import {
  apiRequest,
  mapResource,
  type Resource,
  useResource,
  withoutPast,
} from '../../api/resource.ts';
import { Address } from '../../components/address.tsx';
import { Block, Failure } from '../../components/block.tsx';
import { now } from '../../components/clock.ts';
import { NotFound } from '../../components/empty.tsx';
import { PageTitle } from '../../components/page-title.tsx';
import { Skeleton, StatsSkeleton } from '../../components/skeleton.tsx';
import { TokenIcon } from '../../components/token/token-icon.tsx';
import { PageLink } from '../../routing/link.tsx';
import type { PageProps } from '../page-props.ts';
import { CapsBlock } from './caps-block.tsx';
import { CurveBlock } from './curve-block.tsx';
import type { InterestRateBasis } from './interest-rate-basis.ts';
import { OwnPositionBlock } from './own-position-block.tsx';
import { PairsBlock } from './pairs-block.tsx';
import { ReserveActions } from './reserve-actions.tsx';
import { ReserveHistoryBlock } from './reserve-history-block.tsx';
import { type ReservePrice, ReserveTotals } from './reserve-totals.tsx';
import { RiskBlock } from './risk-block.tsx';
import './reserve.css';

const DAY_MS = 86_400_000;

/** One reserve: rates, limits, price, risk and history. */
export function ReservePage({ parameters }: PageProps) {
  const { reserve: address = '' } = parameters;
  const markets = useListedMarkets();
  const reserves = markets.data?.flatMap((market) => market.reserves ?? []) ?? [];
  const reserve = reserves.find((each) => each.reserve === address);
  if (reserve !== undefined) return <Found reserve={reserve} reserves={reserves} />;
  if (markets.data !== undefined && markets.error === undefined) {
    const count = markets.data.length;
    return (
      <NotFound what={`Reserve ${address}`} where={`It is in none of the ${count} listed markets.`}>
        <PageLink page="overview">To the overview</PageLink>
      </NotFound>
    );
  }
  return markets.error === undefined ? (
    <Skeleton height={800} />
  ) : (
    <Failure error={markets.error} onRetry={markets.reload} />
  );
}

type FoundProps = { readonly reserve: ListedReserve; readonly reserves: readonly ListedReserve[] };

function Found({ reserve, reserves }: FoundProps) {
  const current = useCurrent(reserve);
  const price = usePrice(reserve);
  const basis = useBasis(reserve);
  const { market, liquidityToken } = reserve;
  return (
    <div class="page">
      <div class="page-head">
        <div class="page-title">
          <TokenIcon mint={reserve.liquidityTokenMint} symbol={liquidityToken} />
          <PageTitle title={liquidityToken} />
          <Address address={reserve.reserve} what="reserve address" />
          <span class="weak">
            Token <Address address={reserve.liquidityTokenMint} what="mint address" />
          </span>
        </div>
        <p class="weak page-description">
          Reserve of{' '}
          <PageLink page="market" parameters={{ market: market.lendingMarket }}>
            {market.name}
          </PageLink>
        </p>
        <ReserveActions reserve={reserve} />
      </div>
      <OwnPositionBlock reserve={reserve} />
      <Block
        title="Now"
        resources={[current, price]}
        skeleton={
          <StatsSkeleton
            hasNotes
            labels={['Supply APY', 'Borrow APY', 'Supplied', 'Borrowed', 'Utilization', 'Price']}
          />
        }
      >
        {(metrics, oracle) => (
          <ReserveTotals reserve={reserve} metrics={metrics} price={oracle} basis={basis} />
        )}
      </Block>
      <div class="columns">
        <CurveBlock reserve={reserve} current={current} basis={basis} />
        <div class="page">
          <CapsBlock reserve={reserve} current={current} />
          <RiskBlock current={current} />
        </div>
      </div>
      <ReserveHistoryBlock reserve={reserve} />
      <PairsBlock reserve={reserve} reserves={reserves} />
    </div>
  );
}

/** The newest point of the history is the current state, with the settings of the reserve. */
function useCurrent({ reserve, market }: ListedReserve): Resource<ReserveSnapshotMetrics> {
  const yesterday = new Date((Math.floor(now.peek() / DAY_MS) - 1) * DAY_MS).toISOString();
  const history = useResource(
    apiRequest('GET /svc-market/{marketPubkey}/reserves/{reservePubkey}/metrics/history', {
      path: { marketPubkey: market.lendingMarket, reservePubkey: reserve },
      query: { start: yesterday, frequency: 'day' },
    }),
    { pollMs: LIVE_MS },
  );
  return withoutPast(
    mapResource(history, ({ history: points }) => {
      const last = points.at(-1);
      if (last === undefined) throw new Error('The reserve has no recorded state yet.');
      return last.metrics;
    }),
  );
}

/** How the reserve charges interest; undefined until it is known. */
function useBasis({ reserve, market }: ListedReserve): InterestRateBasis | undefined {
  const path = { market: market.lendingMarket, reserve };
  const stats = useResource(
    apiRequest('GET /markets/{market}/reserves/{reserve}/stats', { path }),
    {
      pollMs: 0,
    },
  );
  return stats.data?.interestRateBasis;
}

/** Null if the oracle has no price. */
function usePrice({ liquidityTokenMint, market }: ListedReserve): Resource<ReservePrice | null> {
  const prices = useResource(
    apiRequest('GET /oracles/prices', { query: { markets: 'all', mints: liquidityTokenMint } }),
    { pollMs: LIVE_MS },
  );
  return mapResource(prices, (list) => {
    const own = list.find(
      (each) => 'lendingMarket' in each && each.lendingMarket === market.lendingMarket,
    );
    const found = own !== undefined && 'prices' in own ? own.prices[0] : undefined;
    return found === undefined
      ? null
      : {
          price: found.price,
          time: Number(found.timestamp) * 1000,
          maxAgeMs: Number(found.maxAgeInSeconds) * 1000,
        };
  });
}
