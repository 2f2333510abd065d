import type { LoanReport } from '@tidegate/client';
import { useListedMarkets } from '../../api/directory.ts';
import { isFinal } from '../../api/failure.ts';
import { apiRequest, orEmpty, type Resource, useResource } from '../../api/resource.ts';
import { Address } from '../../components/address.tsx';
import { NotFound } from '../../components/empty.tsx';
import { areSettled, LoadingPage } from '../../components/loading-page.tsx';
import { PageTitle } from '../../components/page-title.tsx';
import { isAddress } from '../../format/address.ts';
import { useReserveRates } from '../../loans/reserve-rates.ts';
import { PageLink } from '../../routing/link.tsx';
import type { PageProps } from '../page-props.ts';
import { ActionLinks } from './action-links.tsx';
import { EarningsBlock } from './earnings-block.tsx';
import { EventsBlock } from './events-block.tsx';
import { HealthBlock } from './health-block.tsx';
import { reservesOfLoan } from './loan-actions.ts';
import { LoanHistoryBlocks } from './loan-history-blocks.tsx';
import { CollateralBlock, DebtBlock } from './positions-blocks.tsx';
import { ProfitBlock } from './profit-block.tsx';
import { StressBlock } from './stress-block.tsx';

const LOAN_MS = 5_000;
const LIST_MS = 60_000;
const EVENTS_MS = 60_000;

/** One loan: is it safe, what would change that, how did it develop. */
export function LoanPage({ parameters }: PageProps) {
  const address = parameters['loan'] ?? '';
  const loan = useResource(
    isAddress(address)
      ? apiRequest('GET /klend/loans/{pubkey}', { path: { pubkey: address } })
      : undefined,
    { pollMs: LOAN_MS },
  );
  const { error, data } = loan;
  const isWrong = error !== undefined && isFinal(error);
  if (!isAddress(address) || (isWrong && data === undefined)) {
    return <LoanNotFound address={address} />;
  }
  return <LoanDetails address={address} loan={loan} />;
}

const LoanNotFound = ({ address }: { readonly address: string }) =>
  isAddress(address) ? (
    <NotFound
      what={`Loan ${address}`}
      where="This cluster has no loan with this address. It may be the address of a wallet, or the loan was closed."
    >
      <PageLink page="wallet" parameters={{ wallet: address }}>
        Open it as a wallet
      </PageLink>
    </NotFound>
  ) : (
    <NotFound
      what={`Loan ${address}`}
      where="This is not an address: 32 bytes in base58, 32 to 44 characters."
    >
      <PageLink page="overview">To the overview</PageLink>
    </NotFound>
  );

type DetailsProps = { readonly address: string; readonly loan: Resource<LoanReport> };

function LoanDetails({ address, loan }: DetailsProps) {
  const markets = useListedMarkets(LIST_MS);
  const marketId = loan.data?.marketId;
  const user = loan.data?.user;
  const market = markets.data?.find(({ lendingMarket }) => lendingMarket === marketId);
  const events = useResource(
    marketId === undefined
      ? undefined
      : apiRequest(
          'GET /v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/transactions',
          {
            path: { marketPubkey: marketId, obligationPubkey: address },
            query: { sort: 'desc' },
          },
        ),
    { pollMs: EVENTS_MS },
  );
  const groups = useResource(
    marketId === undefined
      ? undefined
      : apiRequest('GET /svc-market/{pubkey}/price-groups', { path: { pubkey: marketId } }),
    { pollMs: LIST_MS },
  );
  const reserves = market?.reserves ?? [];
  const rates = useReserveRates(
    reservesOfLoan(loan.data, reserves),
    marketId === undefined ? [] : [marketId],
  );
  // what is known only with the loan makes its blocks taller
  const details = marketId === undefined ? [] : [groups, ...rates.resources];
  if (!areSettled([loan, markets, ...details])) return <LoadingPage title="Loan" />;
  const shared = {
    address,
    market: marketId,
    loan,
    priceGroups: orEmpty(groups),
    events,
    reserves,
    rates,
  };
  return (
    <div class="page">
      <div class="page-head">
        <div class="page-title">
          <PageTitle title="Loan" address={address} />
          <Address address={address} what="loan address" />
        </div>
        {marketId !== undefined && user !== undefined && (
          <p class="weak page-description">
            In <Address address={marketId} name={market?.name} page="market" canCopy={false} /> of
            wallet <Address address={user} page="wallet" what="wallet address" />
          </p>
        )}
        <ActionLinks {...shared} />
      </div>
      <HealthBlock {...shared} />
      <CollateralBlock {...shared} />
      <DebtBlock {...shared} />
      <EarningsBlock {...shared} />
      <StressBlock {...shared} />
      <LoanHistoryBlocks {...shared} />
      <ProfitBlock {...shared} />
      <EventsBlock {...shared} />
    </div>
  );
}
