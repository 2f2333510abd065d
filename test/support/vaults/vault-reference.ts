import type { Address } from '#core/base/encoding/address.ts';
import { reservesOf, type VaultCluster } from './vault-cluster.ts';

/** Values are lamports times 2^60, rounded down by less than one. */
const BITS = 60n;

/** The supply of a reserve, times 2^60. */
function supplyOf(cluster: VaultCluster, reserve: Address): bigint {
  const { liquidity } = cluster.reserve(reserve);
  const fees =
    liquidity.accumulatedProtocolFeesSf +
    liquidity.accumulatedReferrerFeesSf +
    liquidity.pendingReferrerFeesSf;
  return (liquidity.totalAvailableAmount << BITS) + liquidity.borrowedAmountSf - fees;
}

/** The value of cTokens of a reserve, times 2^60. */
export const collateralValueSf = (
  cluster: VaultCluster,
  reserve: Address,
  ctokens: bigint,
): bigint =>
  (ctokens * supplyOf(cluster, reserve)) / cluster.reserve(reserve).collateral.mintTotalSupply;

/** The vault's investment in a reserve from its token accounts, times 2^60. */
export const investedSf = (cluster: VaultCluster, vault: Address, reserve: Address): bigint => {
  const index = cluster.vault(vault).vaultAllocationStrategy.find((p) => p.reserve === reserve);
  if (index === undefined) throw new Error('unknown allocation');
  return collateralValueSf(cluster, reserve, cluster.balance(index.ctokenVault));
};

/** The AUM of a vault from its token accounts, without refreshing reserves, times 2^60. */
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
