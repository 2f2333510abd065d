import { ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { farmState } from '#core/protocol/farms/layout/farm-state.ts';
import { userState } from '#core/protocol/farms/layout/user-state.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import { mint } from '#core/protocol/spl/layout/mint.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';

/** The balances in an account that invariants are computed from. */
export type AccountBalances = {
  readonly token?: TokenBalances;
  readonly mint?: { readonly supply: bigint };
  readonly reserve?: ReserveBalances;
  readonly obligation?: ObligationBalances;
  readonly vault?: VaultBalances;
  readonly farm?: FarmBalances;
  readonly farmUser?: FarmUserBalances;
};

export type TokenBalances = ReturnType<typeof tokenBalances>;
export type ReserveBalances = ReturnType<typeof reserveBalances>;
type ObligationBalances = ReturnType<typeof obligationBalances>;
export type VaultBalances = ReturnType<typeof vaultBalances>;
type FarmBalances = ReturnType<typeof farmBalances>;
type FarmUserBalances = ReturnType<typeof farmUserBalances>;

const cache = new WeakMap<Uint8Array, AccountBalances>();

/** Cached by the data array, which is never modified in place. */
export function readAccountBalances(account: ClusterAccount): AccountBalances {
  const balances = cache.get(account.data) ?? decodeBalances(account);
  cache.set(account.data, balances);
  return balances;
}

function decodeBalances(account: ClusterAccount): AccountBalances {
  if (tokenAccount.matches(account)) return { token: tokenBalances(account) };
  if (mint.matches(account)) return { mint: { supply: mint.view(account).supply } };
  if (reserve.matches(account)) return { reserve: reserveBalances(account) };
  if (obligation.matches(account)) return { obligation: obligationBalances(account) };
  if (vaultState.matches(account)) return { vault: vaultBalances(account) };
  if (farmState.matches(account)) return { farm: farmBalances(account) };
  if (userState.matches(account)) return { farmUser: farmUserBalances(account) };
  return {};
}

function tokenBalances(account: ClusterAccount) {
  const { mint: mintAddress, owner, amount, isNativeTag, isNative } = tokenAccount.view(account);
  return { mint: mintAddress, owner, amount, isNative: isNativeTag === 1, rent: isNative };
}

function reserveBalances(account: ClusterAccount) {
  const view = reserve.view(account);
  const { liquidity, collateral } = view;
  const available = liquidity.totalAvailableAmount;
  const fees =
    liquidity.accumulatedProtocolFeesSf +
    liquidity.accumulatedReferrerFeesSf +
    liquidity.pendingReferrerFeesSf;
  return {
    liquidityMint: liquidity.mintPubkey,
    liquidityVault: liquidity.supplyVault,
    setAside: liquidity.rewardsAmountAvailable,
    available,
    borrowedSf: liquidity.borrowedAmountSf,
    /** The lenders' share. */
    supplySf: (available << 60n) + liquidity.borrowedAmountSf - fees,
    rate: liquidity.cumulativeBorrowRateBsf.value,
    collateralMint: collateral.mintPubkey,
    collateralVault: collateral.supplyVault,
    collateralSupply: collateral.mintTotalSupply,
    farmCollateral: view.farmCollateral,
    farmDebt: view.farmDebt,
    borrowedOutside: view.borrowedAmountOutsideElevationGroup,
    borrowedInGroups: [...view.borrowedAmountsAgainstThisReserveInElevationGroups],
  };
}

function obligationBalances(account: ClusterAccount) {
  const { owner, elevationGroup, hasDebt, deposits, borrows } = obligation.view(account);
  return {
    owner,
    elevationGroup,
    hasDebt,
    deposits: [...deposits]
      .map((deposit) => ({
        reserve: deposit.depositReserve,
        amount: deposit.depositedAmount,
        debtInGroup: deposit.borrowedAmountAgainstThisCollateralInElevationGroup,
      }))
      .filter((deposit) => deposit.reserve !== ZERO_ADDRESS),
    borrows: [...borrows]
      .map((borrow) => ({
        reserve: borrow.borrowReserve,
        borrowedSf: borrow.borrowedAmountSf,
        rate: borrow.cumulativeBorrowRateBsf.value,
        outside: borrow.borrowedAmountOutsideElevationGroups,
      }))
      .filter((borrow) => borrow.reserve !== ZERO_ADDRESS),
  };
}

function vaultBalances(account: ClusterAccount) {
  const view = vaultState.view(account);
  const { tokenVault, sharesMint, sharesIssued, vaultFarm, pendingFeesSf } = view;
  return {
    tokenVault,
    sharesMint,
    sharesIssued,
    vaultFarm,
    pendingFeesSf,
    available: view.tokenAvailable,
    setAside: view.availableCrankFunds + view.rewardInfo.rewardsAvailable,
    /** All fees ever charged. */
    feesSf: view.cumulativeMgmtFeesSf + view.cumulativePerfFeesSf,
    allocations: [...view.vaultAllocationStrategy]
      .map(({ reserve: address, ctokenVault, ctokenAllocation }) => ({
        reserve: address,
        ctokenVault,
        ctokens: ctokenAllocation,
      }))
      .filter((allocation) => allocation.reserve !== ZERO_ADDRESS),
  };
}

function farmBalances(account: ClusterAccount) {
  const view = farmState.view(account);
  const { delegateAuthority, farmVault, totalStakedAmount, totalPendingAmount } = view;
  const { totalActiveStakeScaled, totalPendingStakeScaled } = view;
  return {
    isDelegated: delegateAuthority !== ZERO_ADDRESS,
    farmVault,
    totalStakedAmount,
    totalPendingAmount,
    totalActiveStakeScaled,
    totalPendingStakeScaled,
    rewards: [...view.rewardInfos].slice(0, Number(view.numRewardTokens)).map((info) => ({
      vault: info.rewardsVault,
      available: info.rewardsAvailable,
      unclaimed: info.rewardsIssuedUnclaimed,
    })),
  };
}

function farmUserBalances(account: ClusterAccount) {
  const view = userState.view(account);
  return {
    farm: view.farmState,
    delegatee: view.delegatee,
    active: view.activeStakeScaled,
    pendingDeposit: view.pendingDepositStakeScaled,
    pendingWithdrawal: view.pendingWithdrawalUnstakeScaled,
    /** Unclaimed amounts above zero, by reward. */
    unclaimed: [...view.rewardsIssuedUnclaimed]
      .map((amount, i) => ({ claim: `${view.farmState}/${i}`, amount }))
      .filter(({ amount }) => amount > 0n),
  };
}
