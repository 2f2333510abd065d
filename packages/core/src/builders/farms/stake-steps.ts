import { type Address, orNone } from '../../base/encoding/address.ts';
import { U64_MAX } from '../../base/numbers/lamports.ts';
import { harvestReward } from '../../protocol/farms/instructions/harvest-reward.ts';
import { initializeUser } from '../../protocol/farms/instructions/initialize-user.ts';
import { stake } from '../../protocol/farms/instructions/stake.ts';
import { unstake } from '../../protocol/farms/instructions/unstake.ts';
import { withdrawUnstakedDeposits } from '../../protocol/farms/instructions/withdraw-unstaked-deposits.ts';
import { userState } from '../../protocol/farms/layout/user-state.ts';
import { rewardAt } from '../../protocol/farms/math/user-reward.ts';
import { treasuryVault } from '../../protocol/farms/pda.ts';
import { associatedToken } from '../../protocol/spl/associated-token.ts';
import { RENT_SYSVAR, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../protocol/spl/programs.ts';
import { rentExempt } from '../../protocol/spl/rent.ts';
import type { Step } from '../plan.ts';
import { type FarmStake, stakeAddress } from './stake-context.ts';

export function openStakeStep(of: FarmStake): Step {
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
  const rentLamports = rentExempt(userState.size);
  const creates = { address, what: `stake in the farm for ${label}`, rentLamports };
  return { instruction, why: `Open a stake in the farm for ${label}.`, creates };
}

/** The largest number is all that the wallet's token account holds. */
export function stakeAllStep(of: FarmStake): Step {
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

export function unstakeStep(of: FarmStake, stakeSharesScaled: bigint): Step {
  const accounts = stakeAccounts(of);
  const instruction = unstake.build(of.farm.program, { accounts, args: { stakeSharesScaled } });
  return { instruction, why: `Unstake the ${of.label} that the wallet itself lacks.` };
}

export function takeUnstakedStep(of: FarmStake, why: string): Step {
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

export function harvestStep(of: FarmStake, index: number, why: string): Step {
  const { wallet, farm } = of;
  const { globalConfig, farmVaultsAuthority } = farm.fields;
  const { token, rewardsVault } = rewardAt(farm.fields, index);
  const instruction = harvestReward.build(farm.program, {
    accounts: {
      ...stakeAccounts(of),
      payer: wallet,
      globalConfig,
      rewardMint: token.mint,
      userRewardTokenAccount: associatedToken(wallet, token.mint, token.tokenProgram),
      rewardsVault,
      rewardsTreasuryVault: treasuryVault(globalConfig, token.mint, farm.program),
      farmVaultsAuthority,
      tokenProgram: token.tokenProgram,
    },
    args: { rewardIndex: BigInt(index) },
  });
  return { instruction, why };
}

const stakeAccounts = (of: FarmStake) => ({
  owner: of.wallet,
  userState: stakeAddress(of),
  farmState: of.farm.address,
  scopePrices: orNone(of.farm.fields.scopePrices),
});

const stakedTokenOf = ({ wallet, farm }: FarmStake): Address =>
  associatedToken(wallet, farm.fields.token.mint, TOKEN_PROGRAM);
