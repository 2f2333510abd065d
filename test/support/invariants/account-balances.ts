import { ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { farmState } from '#core/protocol/farms/layout/farm-state.ts';
import { userState } from '#core/protocol/farms/layout/user-state.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import { mint } from '#core/protocol/spl/layout/mint.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';

/** What sums are made of, read from the bytes of an account. */
export type AccountBalances = {
  readonly token?: TokenBalances;
  readonly mint?: { readonly supply: bigint };
  readonly reserve?: ReserveBalances;
  readonly obligation?: ObligationFacts;
  readonly vault?: VaultBalances;
  readonly farm?: FarmFacts;
  readonly farmUser?: FarmUserFacts;
};

export type TokenBalances = ReturnType<typeof tokenFacts>;
export type ReserveBalances = ReturnType<typeof reserveFacts>;
type ObligationFacts = ReturnType<typeof obligationFacts>;
export type VaultBalances = ReturnType<typeof vaultFacts>;
type FarmFacts = ReturnType<typeof farmFacts>;
type FarmUserFacts = ReturnType<typeof farmUserFacts>;

const known = new WeakMap<Uint8Array, AccountBalances>();

/** Read once for the same bytes, which are never changed in place. */
export function readAccountBalances(account: ClusterAccount): AccountBalances {
  const facts = known.get(account.data) ?? readFacts(account);
  known.set(account.data, facts);
  return facts;
}

function readFacts(account: ClusterAccount): AccountBalances {
  if (tokenAccount.matches(account)) return { token: tokenFacts(account) };
  if (mint.matches(account)) return { mint: { supply: mint.view(account).supply } };
  if (reserve.matches(account)) return { reserve: reserveFacts(account) };
  if (obligation.matches(account)) return { obligation: obligationFacts(account) };
  if (vaultState.matches(account)) return { vault: vaultFacts(account) };
  if (farmState.matches(account)) return { farm: farmFacts(account) };
  if (userState.matches(account)) return { farmUser: farmUserFacts(account) };
  return {};
}

function tokenFacts(account: ClusterAccount) {
  const { mint: of, owner, amount, isNativeTag, isNative } = tokenAccount.view(account);
  return { mint: of, owner, amount, isNative: isNativeTag === 1, rent: isNative };
}

function reserveFacts(account: ClusterAccount) {
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
    keptApart: liquidity.rewardsAmountAvailable,
    available,
    borrowedSf: liquidity.borrowedAmountSf,
    /** What belongs to the lenders. */
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

function obligationFacts(account: ClusterAccount) {
  const { owner, elevationGroup, hasDebt, deposits, borrows } = obligation.view(account);
  return {
    ...{ owner, elevationGroup, hasDebt },
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

function vaultFacts(account: ClusterAccount) {
  const view = vaultState.view(account);
  const { tokenVault, sharesMint, sharesIssued, vaultFarm, pendingFeesSf } = view;
  return {
    ...{ tokenVault, sharesMint, sharesIssued, vaultFarm, pendingFeesSf },
    available: view.tokenAvailable,
    keptApart: view.availableCrankFunds + view.rewardInfo.rewardsAvailable,
    /** All that was ever charged. */
    feesSf: view.cumulativeMgmtFeesSf + view.cumulativePerfFeesSf,
    allocations: [...view.vaultAllocationStrategy]
      .map(({ reserve: of, ctokenVault, ctokenAllocation }) => ({
        ...{ reserve: of, ctokenVault, ctokens: ctokenAllocation },
      }))
      .filter((allocation) => allocation.reserve !== ZERO_ADDRESS),
  };
}

function farmFacts(account: ClusterAccount) {
  const view = farmState.view(account);
  const { delegateAuthority, farmVault, totalStakedAmount, totalPendingAmount } = view;
  const { totalActiveStakeScaled, totalPendingStakeScaled } = view;
  return {
    isDelegated: delegateAuthority !== ZERO_ADDRESS,
    ...{ farmVault, totalStakedAmount, totalPendingAmount },
    ...{ totalActiveStakeScaled, totalPendingStakeScaled },
    rewards: [...view.rewardInfos].slice(0, Number(view.numRewardTokens)).map((info) => ({
      vault: info.rewardsVault,
      available: info.rewardsAvailable,
      unclaimed: info.rewardsIssuedUnclaimed,
    })),
  };
}

function farmUserFacts(account: ClusterAccount) {
  const view = userState.view(account);
  return {
    farm: view.farmState,
    delegatee: view.delegatee,
    active: view.activeStakeScaled,
    pendingDeposit: view.pendingDepositStakeScaled,
    pendingWithdrawal: view.pendingWithdrawalUnstakeScaled,
    /** Of which reward how much, where there is some. */
    unclaimed: [...view.rewardsIssuedUnclaimed]
      .map((amount, i) => ({ claim: `${view.farmState}/${i}`, amount }))
      .filter(({ amount }) => amount > 0n),
  };
}
