import type { Address } from '@tidegate/core/base';
import type { Omission, PriceAge } from '@tidegate/core/views/lending';
import {
  collectSection,
  isOpenFarmStake,
  type VaultHolding,
  viewEarnPositions,
  viewFarmStake,
  viewPortfolioLoans,
  viewVaultHoldings,
} from '@tidegate/core/views/portfolio';
import type { VaultViewContext } from '@tidegate/core/views/vaults';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { loanPriceAges, requireReadable } from '../../support/pricing/data-notes.ts';
import { readFarmPurposes } from '../../support/pricing/farm-purposes.ts';
import type { MarketCache } from '../../support/pricing/market-cache.ts';

export type WalletPositionsQuery = {
  readonly cluster: Cluster;
  /** Loans of one lending program; of all programs if undefined. */
  readonly programId: Address | undefined;
  readonly pricing: VaultViewContext;
  readonly marketOf: MarketCache;
};

/** Loans, vault shares and stakes of a wallet now, with exact amounts. */
export function readWalletPositions(
  owner: Address,
  { cluster, programId, pricing, marketOf }: WalletPositionsQuery,
) {
  const { reader, registry } = cluster;
  const obligations = reader
    .obligationsOf(owner)
    .filter(({ program }) => programId === undefined || program === programId);
  const { items: holdings, omitted } = viewVaultHoldings(reader.vaults(), owner, reader);
  const isPrivateCredit = ({ vault }: VaultHolding) => registry.privateCreditVaults.has(vault);
  const viewPositions = (positions: readonly VaultHolding[]) =>
    viewEarnPositions(positions, (address) => reader.vault(address), pricing);
  return {
    ...viewPortfolioLoans(obligations, (address) => marketOf(reader, address)),
    earn: viewPositions(holdings.filter((holding) => !isPrivateCredit(holding))),
    privateCredit: viewPositions(holdings.filter(isPrivateCredit)),
    staking: readTokenStakes(owner, cluster),
    omittedPositions: omitted,
  };
}

export type WalletPositions = ReturnType<typeof readWalletPositions>;

/** Loans and vault shares that are left out. */
export const omittedLoansAndShares = (positions: WalletPositions): Omission[] => [
  ...positions.lending.omitted,
  ...positions.earn.omitted,
  ...positions.privateCredit.omitted,
  ...positions.omittedPositions,
];

export const walletLoans = ({ lending, multiply, leverage }: WalletPositions) =>
  [lending, multiply, leverage].flatMap(({ items }) => items.map(({ loan }) => loan));

export const walletLoanPriceAges = (positions: WalletPositions): PriceAge[] =>
  walletLoans(positions).flatMap(loanPriceAges);

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
