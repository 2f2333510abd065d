import type { Address } from '@tidegate/core/base';
import type { Omission, PriceAge } from '@tidegate/core/views/lending';
import {
  collectSection,
  isOpenFarmStake,
  type VaultPosition,
  viewEarnPositions,
  viewFarmStake,
  viewPortfolioLoans,
  viewVaultPositions,
} from '@tidegate/core/views/portfolio';
import type { VaultViewContext } from '@tidegate/core/views/vaults';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { readFarmPurposes } from '../../farm-purposes/farm-purposes.ts';
import { loanPriceAges, requireReadable } from '../../pricing/data-notes.ts';
import type { MarketCache } from '../../pricing/market-cache.ts';

type PortfolioQuery = {
  readonly cluster: Cluster;
  readonly programId: Address;
  readonly pricing: VaultViewContext;
  readonly marketOf: MarketCache;
};

/** All sections of a wallet, with exact amounts. */
export function readPortfolio(
  owner: Address,
  { cluster, programId, pricing, marketOf }: PortfolioQuery,
) {
  const { reader, registry } = cluster;
  const obligations = reader.obligationsOf(owner).filter(({ program }) => program === programId);
  const { items: vaultPositions, omitted } = viewVaultPositions(reader.vaults(), owner, reader);
  const isPrivateCredit = ({ vault }: VaultPosition) => registry.privateCreditVaults.has(vault);
  const viewPositions = (positions: readonly VaultPosition[]) =>
    viewEarnPositions(positions, (address) => reader.vault(address), pricing);
  return {
    ...viewPortfolioLoans(obligations, (address) => marketOf(reader, address)),
    earn: viewPositions(vaultPositions.filter((position) => !isPrivateCredit(position))),
    privateCredit: viewPositions(vaultPositions.filter(isPrivateCredit)),
    staking: readTokenStakes(owner, cluster),
    omittedPositions: omitted,
  };
}

type PortfolioData = ReturnType<typeof readPortfolio>;

/** What the sections leave out. */
export const portfolioOmissions = (portfolio: PortfolioData): Omission[] => [
  ...portfolio.lending.omitted,
  ...portfolio.earn.omitted,
  ...portfolio.privateCredit.omitted,
  ...portfolio.staking.omitted,
  ...portfolio.omittedPositions,
];

export const portfolioLoanPriceAges = ({
  lending,
  multiply,
  leverage,
}: PortfolioData): PriceAge[] =>
  [lending, multiply, leverage].flatMap(({ items }) =>
    items.flatMap(({ loan }) => loanPriceAges(loan)),
  );

/** Omits stakes of loans and vault shares: they belong to the other sections. */
function readTokenStakes(owner: Address, { reader }: Cluster) {
  const purposes = readFarmPurposes(reader);
  return collectSection(reader.farmUsersOf(owner), (user) => {
    const { farmState } = user.fields;
    requireReadable(reader, farmState);
    const farm = reader.farm(farmState);
    const stake = farm && viewFarmStake(user, farm, purposes);
    return stake?.purpose.kind === 'token' && isOpenFarmStake(stake) ? stake : undefined;
  });
}
