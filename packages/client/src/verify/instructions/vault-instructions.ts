import { defineInstruction, type InstructionSpec } from './instruction-spec.ts';

const FROM_AVAILABLE = `user:s vaultState:w globalConfig tokenVault:w baseVaultAuthority
  userTokenAta:w tokenMint:w userSharesAta:w sharesMint:w tokenProgram sharesTokenProgram
  klendProgram eventAuthority program`;

const DEPOSIT = `user:ws vaultState:w tokenVault:w tokenMint baseVaultAuthority sharesMint:w
  userTokenAta:w userSharesAta:w klendProgram tokenProgram sharesTokenProgram eventAuthority program`;

/** The instructions of the vault and farms programs that a served builder uses. */
export const vaultInstructions: readonly InstructionSpec[] = [
  defineInstruction(['kvault', 'deposit', 'f223c68952e1f2b6'], {
    args: 'maxAmount:u64',
    accounts: DEPOSIT,
    hasRemaining: true,
  }),
  defineInstruction(['kvault', 'depositWithMinSharesOut', '4a7f805004ddc15b'], {
    args: 'maxAmount:u64 minSharesOut:u64',
    accounts: DEPOSIT,
    hasRemaining: true,
  }),
  defineInstruction(['kvault', 'withdraw', 'b712469c946da122'], {
    args: 'sharesAmount:u64',
    accounts: `${FROM_AVAILABLE} reserveVaultState:w reserve:w ctokenVault:w lendingMarket
      lendingMarketAuthority reserveLiquiditySupply:w reserveCollateralMint:w
      reserveCollateralTokenProgram instructionSysvarAccount outerEventAuthority outerProgram`,
    hasRemaining: true,
  }),
  defineInstruction(['kvault', 'withdrawFromAvailable', '1383709baadc2239'], {
    args: 'sharesAmount:u64',
    accounts: FROM_AVAILABLE,
    hasRemaining: true,
  }),
  defineInstruction(['farms', 'initializeUser', '6f11b9fa3c7a26fe'], {
    accounts: 'authority:s payer:ws owner delegatee userState:w farmState:w systemProgram rent',
  }),
  defineInstruction(['farms', 'stake', 'ceb0ca12c8d1b36c'], {
    args: 'amount:u64',
    accounts: `owner:s userState:w farmState:w farmVault:w userAta:w tokenMint scopePrices:?
      tokenProgram`,
  }),
  defineInstruction(['farms', 'unstake', '5a5f6b2acd7c32e1'], {
    args: 'stakeSharesScaled:u128',
    accounts: 'owner:ws userState:w farmState:w scopePrices:?',
  }),
  defineInstruction(['farms', 'withdrawUnstakedDeposits', '2466bb31dc248443'], {
    accounts: `owner:ws userState:w farmState:w userAta:w farmVault:w farmVaultsAuthority
      tokenProgram`,
  }),
  defineInstruction(['farms', 'harvestReward', '44c8e4e9b820e2bc'], {
    args: 'rewardIndex:u64',
    accounts: `payer:ws userState:w farmState:w globalConfig rewardMint userRewardTokenAccount:w
      rewardsVault:w rewardsTreasuryVault:w farmVaultsAuthority scopePrices:? tokenProgram`,
  }),
];
