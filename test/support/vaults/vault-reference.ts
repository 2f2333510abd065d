import type { Address } from '#core/base/encoding/address.ts';
import { reservesOf, type VaultCluster } from './vault-cluster.ts';

/** A number of lamports, times 2^60. Everything here is rounded down by less than one of that. */
const BITS = 60n;

/** All that a reserve owes to its cTokens, times 2^60. */
function supplyOf(cluster: VaultCluster, reserve: Address): bigint {
  const { liquidity } = cluster.reserve(reserve);
  const fees =
    liquidity.accumulatedProtocolFeesSf +
    liquidity.accumulatedReferrerFeesSf +
    liquidity.pendingReferrerFeesSf;
  return (liquidity.totalAvailableAmount << BITS) + liquidity.borrowedAmountSf - fees;
}

/** What so many cTokens of a reserve are worth, times 2^60. */
export const collateralValueSf = (
  cluster: VaultCluster,
  reserve: Address,
  ctokens: bigint,
): bigint =>
  (ctokens * supplyOf(cluster, reserve)) / cluster.reserve(reserve).collateral.mintTotalSupply;

/** What a vault has lent to a reserve by its token accounts, times 2^60. */
export const investedSf = (cluster: VaultCluster, vault: Address, reserve: Address): bigint => {
  const place = cluster.vault(vault).vaultAllocationStrategy.find((p) => p.reserve === reserve);
  if (place === undefined) throw new Error('no such place');
  return collateralValueSf(cluster, reserve, cluster.balance(place.ctokenVault));
};

/** What belongs to the shares by its token accounts, as the reserves stand, times 2^60. */
export function referenceNetAssetsSf(cluster: VaultCluster, address: Address): bigint {
  const vault = cluster.vault(address);
  const idle =
    cluster.balance(vault.tokenVault) -
    vault.availableCrankFunds -
    vault.rewardInfo.rewardsAvailable;
  const lent = reservesOf(vault).reduce(
    (sum, each) => sum + investedSf(cluster, address, each),
    0n,
  );
  return (idle << BITS) + lent - vault.pendingFeesSf;
}
