import { type Address, nonZeroAddress } from '../../base/encoding/address.ts';
import { U64_MAX } from '../../base/numbers/lamports.ts';
import { harvestReward } from '../../protocol/farms/instructions/harvest-reward.ts';
import { initializeUser } from '../../protocol/farms/instructions/initialize-user.ts';
import { stake } from '../../protocol/farms/instructions/stake.ts';
import { unstake } from '../../protocol/farms/instructions/unstake.ts';
import { withdrawUnstakedDeposits } from '../../protocol/farms/instructions/withdraw-unstaked-deposits.ts';
import { userState } from '../../protocol/farms/layout/user-state.ts';
import { rewardAt } from '../../protocol/farms/math/user-reward.ts';
import { treasuryVault } from '../../protocol/farms/pda.ts';
import { associatedTokenAddress } from '../../protocol/spl/associated-token.ts';
import { RENT_SYSVAR, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../protocol/spl/programs.ts';
import { rentExemptLamports } from '../../protocol/spl/rent.ts';
import type { BuildStep } from '../plan.ts';
import { type StakeContext, stakeAddress } from './stake-context.ts';

export function initializeUserStep(of: StakeContext): BuildStep {
  const { wallet, farm, delegatee, label } = of;
  const address = stakeAddress(of);
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

/** The largest number is all that the wallet's token account holds. */
export function stakeAllStep(of: StakeContext): BuildStep {
  const { farmVault, token } = of.farm.fields;
  const instruction = stake.build(of.farm.program, {
    accounts: {
      ...stakeAccounts(of),
      farmVault,
      userAta: stakedTokenOf(of),
      tokenMint: token.mint,
      tokenProgram: TOKEN_PROGRAM,
    },
    args: { amount: U64_MAX },
  });
  return { instruction, why: `Stake all ${of.label} of the wallet.` };
}

export function unstakeStep(of: StakeContext, stakeSharesScaled: bigint): BuildStep {
  const accounts = stakeAccounts(of);
  const instruction = unstake.build(of.farm.program, { accounts, args: { stakeSharesScaled } });
  return { instruction, why: `Unstake the ${of.label} that the wallet itself lacks.` };
}

export function withdrawUnstakedStep(of: StakeContext, why: string): BuildStep {
  const { farmVault, farmVaultsAuthority } = of.farm.fields;
  const instruction = withdrawUnstakedDeposits.build(of.farm.program, {
    accounts: {
      ...stakeAccounts(of),
      userAta: stakedTokenOf(of),
      farmVault,
      farmVaultsAuthority,
      tokenProgram: TOKEN_PROGRAM,
    },
    args: {},
  });
  return { instruction, why };
}

export function harvestStep(of: StakeContext, index: number, why: string): BuildStep {
  const { wallet, farm } = of;
  const { globalConfig, farmVaultsAuthority } = farm.fields;
  const { token, rewardsVault } = rewardAt(farm.fields, index);
  const instruction = harvestReward.build(farm.program, {
    accounts: {
      ...stakeAccounts(of),
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

const stakeAccounts = (of: StakeContext) => ({
  owner: of.wallet,
  userState: stakeAddress(of),
  farmState: of.farm.address,
  scopePrices: nonZeroAddress(of.farm.fields.scopePrices),
});

const stakedTokenOf = ({ wallet, farm }: StakeContext): Address =>
  associatedTokenAddress(wallet, farm.fields.token.mint, TOKEN_PROGRAM);
