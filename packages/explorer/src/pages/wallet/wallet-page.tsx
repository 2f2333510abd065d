import type { ComponentType } from 'preact';
import { useListedMarkets } from '../../api/directory.ts';
import { isRejection } from '../../api/failure.ts';
import { apiRequest, useResource } from '../../api/resource.ts';
import { Address } from '../../components/address.tsx';
import { NotFound } from '../../components/empty.tsx';
import { areSettled, LoadingPage } from '../../components/loading-page.tsx';
import { PageTitle } from '../../components/page-title.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { isAddress } from '../../format/address.ts';
import { PageLink } from '../../routing/link.tsx';
import { choice } from '../../routing/location.ts';
import type { PageProps } from '../page-props.ts';
import { ActivityTab } from './activity-tab.tsx';
import { EarnTab } from './earn-tab.tsx';
import { LoansTab } from './loans-tab.tsx';
import { RewardsTab } from './rewards-tab.tsx';
import { SummaryTab } from './summary-tab.tsx';
import type { WalletResources } from './wallet-resources.ts';

const PORTFOLIO_MS = 10_000;
const LIST_MS = 60_000;

const tabs = [
  { value: 'overview', title: 'Overview' },
  { value: 'loans', title: 'Loans' },
  { value: 'earn', title: 'Earn' },
  { value: 'rewards', title: 'Rewards' },
  { value: 'activity', title: 'Activity' },
] as const;

const contents: Readonly<Record<(typeof tabs)[number]['value'], ComponentType<WalletResources>>> = {
  overview: SummaryTab,
  loans: LoansTab,
  earn: EarnTab,
  rewards: RewardsTab,
  activity: ActivityTab,
};

/** Everything of one wallet. */
export function WalletPage({ parameters }: PageProps) {
  const address = parameters['wallet'] ?? '';
  const portfolio = useResource(
    isAddress(address)
      ? apiRequest('GET /portfolio/{pubkey}', { path: { pubkey: address } })
      : undefined,
    { pollMs: PORTFOLIO_MS },
  );
  const { data, error } = portfolio;
  const isWrong = data === undefined && error !== undefined && isRejection(error);
  if (!isAddress(address) || isWrong) {
    return (
      <NotFound
        what={`Wallet ${address}`}
        where="This is not an address: 32 bytes in base58, 32 to 44 characters."
      >
        <PageLink page="overview">To the overview</PageLink>
      </NotFound>
    );
  }
  return <WalletDetails address={address} portfolio={portfolio} />;
}

function WalletDetails({ address, portfolio }: Pick<WalletResources, 'address' | 'portfolio'>) {
  const markets = useListedMarkets(LIST_MS);
  const tab = choice(
    'tab',
    tabs.map(({ value }) => value),
  );
  if (!areSettled([portfolio, markets])) return <LoadingPage title="Wallet" />;
  const Content = contents[tab.value];
  return (
    <div class="page">
      <div class="page-title">
        <PageTitle title="Wallet" address={address} />
        <Address address={address} what="wallet address" />
        <Tabs label="Part of the wallet" tabs={tabs} value={tab.value} onChange={tab.set} />
      </div>
      <Content address={address} portfolio={portfolio} markets={markets.data ?? []} />
    </div>
  );
}
