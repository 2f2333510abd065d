import type { Address } from '../../../base/encoding/address.ts';
import { CodedError } from '../../../base/errors.ts';
import type { Ratio } from '../../../base/numbers/decimal.ts';
import { mulRatio, ratioOfSf, ZERO_RATIO } from '../../../base/numbers/ratio.ts';
import { addSf, type Sf, ZERO_SF } from '../../../base/numbers/scaled-fraction.ts';
import type { VaultStateView } from '../../../protocol/kvault/layout/vault-state.ts';
import type { AddressedAccount } from '../../lending/market-snapshot.ts';
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

/** The source of positions. */
export type EligiblePositionSource = {
  vault(address: Address): AddressedAccount<VaultStateView> | undefined;
  obligationsIn(market: Address): Loans;
};

export type EligibleValue = {
  /** In the order of the targets; undefined for an unknown vault or reserve. */
  readonly usd: readonly (Ratio | undefined)[];
  /** Loans that cannot be evaluated: malformed, or newer than their indexed reserves. */
  readonly omitted: number;
};

/** The value of all positions for each target. Iterates over the loans of a market once. */
export function sumEligibleUsd(
  targets: readonly RewardTarget[],
  source: EligiblePositionSource,
  context: VaultViewContext,
): EligibleValue {
  const byMarket = new Map<Address, number[]>();
  const usd = targets.map((target, index): Ratio | undefined => {
    if (target.vault !== undefined) return usdOfVault(target.vault, source, context);
    const market = marketOfTarget(target, context);
    if (market === undefined) return undefined;
    byMarket.set(market, [...(byMarket.get(market) ?? []), index]);
    return undefined;
  });
  let omitted = 0;
  for (const [market, indexes] of byMarket) {
    const marketTargets = indexes.map((index) => targets[index] ?? {});
    const found = sumEligibleLoansUsd(
      source.obligationsIn(market),
      marketTargets,
      reserveSnapshotsOfTargets(marketTargets, context),
    );
    for (const [i, index] of indexes.entries()) usd[index] = ratioOfSf(found.usd[i] ?? ZERO_SF);
    omitted += found.omitted;
  }
  return { usd, omitted };
}

/** The market of a target's loans; undefined if a reserve is unknown. */
export function marketOfTarget(
  { depositReserve, borrowReserve }: RewardTarget,
  { reserves }: Pick<VaultViewContext, 'reserves'>,
): Address | undefined {
  const markets = [depositReserve, borrowReserve]
    .filter((address) => address !== undefined)
    .map((address) => reserves(address)?.market.address);
  return markets.includes(undefined) ? undefined : markets[0];
}

/** The value of all shares. */
export const vaultSharesUsd = ({ aum, fields, tokenPrice }: VaultSnapshot): Ratio =>
  fields.sharesIssued === 0n
    ? ZERO_RATIO
    : mulRatio(sfToWholeTokens(aum, fields.tokenMintDecimals), tokenPrice ?? ZERO_RATIO);

function usdOfVault(
  address: Address,
  source: EligiblePositionSource,
  context: VaultViewContext,
): Ratio | undefined {
  const vault = source.vault(address);
  const snapshot = vault && snapshotVault(vault, context);
  return snapshot && vaultSharesUsd(snapshot);
}

type Loans = Iterable<{ readonly fields: LoanPositionFields }>;

/** The eligible value of the loans for each target. `reserves` are those of the targets. */
export function sumEligibleLoansUsd(
  loans: Loans,
  targets: readonly RewardTarget[],
  reserves: ReadonlyMap<Address, ReserveSnapshot>,
): { readonly usd: readonly Sf[]; readonly omitted: number } {
  const usd = targets.map(() => ZERO_SF);
  let omitted = 0;
  for (const { fields } of loans) {
    try {
      const loan = positionsInReserves(fields, reserves);
      const parts = targets.map((target) => eligibleUsdOfLoan(loan, target));
      for (const [index, part] of parts.entries()) usd[index] = addSf(usd[index] ?? ZERO_SF, part);
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      omitted++;
    }
  }
  return { usd, omitted };
}

/** The reserves of the targets. */
export const reservesOfTargets = (targets: readonly RewardTarget[]): ReadonlySet<Address> =>
  new Set(
    targets
      .flatMap(({ depositReserve, borrowReserve }) => [depositReserve, borrowReserve])
      .filter((address) => address !== undefined),
  );

/** The current snapshots of the targets' known reserves. */
export function reserveSnapshotsOfTargets(
  targets: readonly RewardTarget[],
  { reserves }: Pick<VaultViewContext, 'reserves'>,
): ReadonlyMap<Address, ReserveSnapshot> {
  const found = new Map<Address, ReserveSnapshot>();
  for (const address of reservesOfTargets(targets)) {
    const reserve = reserves(address);
    if (reserve !== undefined) found.set(address, reserve.snapshot);
  }
  return found;
}
