import type { Address } from '../../../base/encoding/address.ts';
import { CodedError } from '../../../base/errors.ts';
import type { Ratio } from '../../../base/numbers/decimal.ts';
import { mulRatio, ratioOfSf, ZERO_RATIO } from '../../../base/numbers/ratio.ts';
import { addSf, type Sf, ZERO_SF } from '../../../base/numbers/scaled-fraction.ts';
import type { VaultStateView } from '../../../protocol/kvault/layout/vault-state.ts';
import type { Placed } from '../../lending/market-snapshot.ts';
import {
  type LoanPositionFields,
  positionsInReserves,
} from '../../lending/obligation-positions.ts';
import type { ReserveSnapshot } from '../../lending/reserve-snapshot.ts';
import { sfToWholeTokens } from '../../vaults/vault-metrics.ts';
import {
  snapshotVault,
  type VaultSnapshot,
  type VaultViewContext,
} from '../../vaults/vault-snapshot.ts';
import { eligibleUsdOfLoan } from './season-rates.ts';
import type { RewardTarget } from './season-reward-groups.ts';

/** Where positions are found. */
export type EligiblePositionSource = {
  vault(address: Address): Placed<VaultStateView> | undefined;
  obligationsIn(market: Address): Loans;
};

export type EligibleValue = {
  /** In the order asked; undefined for a vault or reserve that is not known. */
  readonly usd: readonly (Ratio | undefined)[];
  /** Loans that cannot be counted: damaged, or newer than what is known of their reserves. */
  readonly leftOut: number;
};

/** What all positions of each of these sides are worth. The loans of a market are walked once for all. */
export function sumEligibleUsd(
  asked: readonly RewardTarget[],
  source: EligiblePositionSource,
  terms: VaultViewContext,
): EligibleValue {
  const byMarket = new Map<Address, number[]>();
  const usd = asked.map((sides, place): Ratio | undefined => {
    if (sides.vault !== undefined) return usdOfVault(sides.vault, source, terms);
    const market = marketOfTarget(sides, terms);
    if (market === undefined) return undefined;
    byMarket.set(market, [...(byMarket.get(market) ?? []), place]);
    return undefined;
  });
  let leftOut = 0;
  for (const [market, places] of byMarket) {
    const sides = places.map((place) => asked[place] ?? {});
    const found = sumEligibleLoansUsd(
      source.obligationsIn(market),
      sides,
      reserveSnapshotsOfTargets(sides, terms),
    );
    for (const [i, place] of places.entries()) usd[place] = ratioOfSf(found.usd[i] ?? ZERO_SF);
    leftOut += found.leftOut;
  }
  return { usd, leftOut };
}

/** The market that the loans of these sides are in; undefined where a reserve is not known. */
export function marketOfTarget(
  { depositReserve, borrowReserve }: RewardTarget,
  { reserves }: Pick<VaultViewContext, 'reserves'>,
): Address | undefined {
  const markets = [depositReserve, borrowReserve]
    .filter((address) => address !== undefined)
    .map((address) => reserves(address)?.market.address);
  return markets.includes(undefined) ? undefined : markets[0];
}

/** What all shares are worth. */
export const vaultSharesUsd = ({ aum, fields, tokenPrice }: VaultSnapshot): Ratio =>
  fields.sharesIssued === 0n
    ? ZERO_RATIO
    : mulRatio(sfToWholeTokens(aum, fields.tokenMintDecimals), tokenPrice ?? ZERO_RATIO);

function usdOfVault(
  address: Address,
  source: EligiblePositionSource,
  terms: VaultViewContext,
): Ratio | undefined {
  const vault = source.vault(address);
  const now = vault && snapshotVault(vault, terms);
  return now && vaultSharesUsd(now);
}

type Loans = Iterable<{ readonly fields: LoanPositionFields }>;

/** What each of these sides counts of loans together. `reserves` are those that the sides name. */
export function sumEligibleLoansUsd(
  loans: Loans,
  asked: readonly RewardTarget[],
  reserves: ReadonlyMap<Address, ReserveSnapshot>,
): { readonly usd: readonly Sf[]; readonly leftOut: number } {
  const usd = asked.map(() => ZERO_SF);
  let leftOut = 0;
  for (const { fields } of loans) {
    try {
      const loan = positionsInReserves(fields, reserves);
      const parts = asked.map((sides) => eligibleUsdOfLoan(loan, sides));
      for (const [place, part] of parts.entries()) usd[place] = addSf(usd[place] ?? ZERO_SF, part);
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      leftOut++;
    }
  }
  return { usd, leftOut };
}

/** The reserves that sides name. */
export const reservesOfTargets = (asked: readonly RewardTarget[]): ReadonlySet<Address> =>
  new Set(
    asked
      .flatMap(({ depositReserve, borrowReserve }) => [depositReserve, borrowReserve])
      .filter((address) => address !== undefined),
  );

/** The same as they are now, where they are known. */
export function reserveSnapshotsOfTargets(
  asked: readonly RewardTarget[],
  { reserves }: Pick<VaultViewContext, 'reserves'>,
): ReadonlyMap<Address, ReserveSnapshot> {
  const found = new Map<Address, ReserveSnapshot>();
  for (const address of reservesOfTargets(asked)) {
    const reserve = reserves(address);
    if (reserve !== undefined) found.set(address, reserve.now);
  }
  return found;
}
