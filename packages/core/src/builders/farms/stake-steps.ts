import { type Address, nonZeroAddress } from '../../base/encoding/address.ts';
import { U64_MAX } from '../../base/numbers/lamports.ts';
import { harvestReward } from '../../protocol/farms/instructions/rewards.ts';
import {
  initializeUser,
  stake,
  unstake,
  withdrawUnstakedDeposits,
} from '../../protocol/farms/instructions/staking.ts';
import { userState } from '../../protocol/farms/layout/user-state.ts';
import { rewardAt } from '../../protocol/farms/math/user-reward.ts';
import { treasuryVault } from '../../protocol/farms/pda.ts';
import { associatedTokenAddress } from '../../protocol/spl/associated-token.ts';
import { RENT_SYSVAR, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../protocol/spl/programs.ts';
import { rentExemptLamports } from '../../protocol/spl/rent.ts';
import type { BuildStep } from '../build-summary.ts';
import { type StakeContext, stakeAddress } from './stake-context.ts';

export function initializeUserStep(target: StakeContext): BuildStep {
  const { wallet, farm, delegatee, label } = target;
  const address = stakeAddress(target);
  const instruction = initializeUser.build(farm.program, {
    accounts: {
      authority: wallet,
      payer: wallet,
      owner: wallet,
      delegatee,
      userState: address,
      farmState: farm.address,
      systemProgram: SYSTEM_PROGRAM,
      rent: RENT_SYSVAR,
    },
    args: {},
  });
  const rentLamports = rentExemptLamports(userState.size);
  const creates = { address, what: `stake in the farm for ${label}`, rentLamports };
  return { instruction, why: `Open a stake in the farm for ${label}.`, creates };
}

/** U64_MAX stakes the whole balance of the token account. */
export function stakeAllStep(target: StakeContext): BuildStep {
  const { farmVault, token } = target.farm.fields;
  const instruction = stake.build(target.farm.program, {
    accounts: {
      ...stakeAccounts(target),
      farmVault,
      userAta: stakedTokenOf(target),
      tokenMint: token.mint,
      tokenProgram: TOKEN_PROGRAM,
    },
    args: { amount: U64_MAX },
  });
  return { instruction, why: `Stake all ${target.label} of the wallet.` };
}

export function unstakeStep(target: StakeContext, stakeSharesScaled: bigint): BuildStep {
  const accounts = stakeAccounts(target);
  const instruction = unstake.build(target.farm.program, { accounts, args: { stakeSharesScaled } });
  return { instruction, why: `Unstake the ${target.label} missing in the wallet.` };
}

export function withdrawUnstakedStep(target: StakeContext, why: string): BuildStep {
  const { farmVault, farmVaultsAuthority } = target.farm.fields;
  const instruction = withdrawUnstakedDeposits.build(target.farm.program, {
    accounts: {
      ...stakeAccounts(target),
      userAta: stakedTokenOf(target),
      farmVault,
      farmVaultsAuthority,
      tokenProgram: TOKEN_PROGRAM,
    },
    args: {},
  });
  return { instruction, why };
}

export function harvestStep(target: StakeContext, index: number, why: string): BuildStep {
  const { wallet, farm } = target;
  const { globalConfig, farmVaultsAuthority } = farm.fields;
  const { token, rewardsVault } = rewardAt(farm.fields, index);
  const instruction = harvestReward.build(farm.program, {
    accounts: {
      ...stakeAccounts(target),
      payer: wallet,
      globalConfig,
      rewardMint: token.mint,
      userRewardTokenAccount: associatedTokenAddress(wallet, token.mint, token.tokenProgram),
      rewardsVault,
      rewardsTreasuryVault: treasuryVault(globalConfig, token.mint, farm.program),
      farmVaultsAuthority,
      tokenProgram: token.tokenProgram,
    },
    args: { rewardIndex: BigInt(index) },
  });
  return { instruction, why };
}

const stakeAccounts = (target: StakeContext) => ({
  owner: target.wallet,
  userState: stakeAddress(target),
  farmState: target.farm.address,
  scopePrices: nonZeroAddress(target.farm.fields.scopePrices),
});

const stakedTokenOf = ({ wallet, farm }: StakeContext): Address =>
  associatedTokenAddress(wallet, farm.fields.token.mint, TOKEN_PROGRAM);
