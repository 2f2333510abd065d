import type { Address } from '#core/base/encoding/address.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import {
  addUpdateWhitelistedReserve,
  removeAllocation,
  reserveWhitelistModes,
} from '#core/protocol/kvault/instructions/allocation.ts';
import {
  topupRewards,
  withdrawRewards,
} from '#core/protocol/kvault/instructions/rewards-and-fees.ts';
import { initVault, updateVaultConfig } from '#core/protocol/kvault/instructions/vault-setup.ts';
import {
  baseVaultAuthority,
  globalConfigAddress,
  reserveWhitelistEntryAddress,
  sharesMint,
  tokenVault,
} from '#core/protocol/kvault/pda.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import {
  encodeVaultConfigValue,
  type VaultConfigValue,
  vaultConfigEntries,
} from '#core/protocol/kvault/vault-config.ts';
import { associatedTokenAddress } from '#core/protocol/spl/associated-token.ts';
import { RENT_SYSVAR, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import type { VaultInstructionAccounts } from './vault-instructions.ts';

// Valid instructions of vault administrators, for a vault of a plain token.

export const updateConfigInstruction = (
  shared: VaultInstructionAccounts,
  signer: Address,
  [name, value]: readonly [name: string, value: VaultConfigValue],
): Instruction => {
  const index = vaultConfigEntries.findIndex((each) => each.name === name);
  const entry = vaultConfigEntries[index];
  if (entry === undefined) throw new Error(`no setting ${name}`);
  return updateVaultConfig.build(KVAULT_PROGRAM, {
    accounts: { ...shared.accounts, signer },
    args: { entry: index },
    list: [...encodeVaultConfigValue(entry, value)],
    remaining: shared.remaining,
  });
};

export const removeAllocationInstruction = (
  { accounts }: VaultInstructionAccounts,
  vaultAdminAuthority: Address,
  reserve: Address,
): Instruction =>
  removeAllocation.build(KVAULT_PROGRAM, {
    accounts: { ...accounts, vaultAdminAuthority, reserve },
    args: {},
  });

export const topupRewardsInstruction = (
  { accounts }: VaultInstructionAccounts,
  payer: Address,
  amount: bigint,
): Instruction =>
  topupRewards.build(KVAULT_PROGRAM, {
    accounts: {
      ...accounts,
      payer,
      payerTokenTa: associatedTokenAddress(payer, accounts.tokenMint, TOKEN_PROGRAM),
    },
    args: { amount: toLamports(amount) },
  });

export const withdrawRewardsInstruction = (
  { accounts }: VaultInstructionAccounts,
  admin: Address,
  amount: bigint,
): Instruction =>
  withdrawRewards.build(KVAULT_PROGRAM, {
    accounts: {
      ...accounts,
      vaultAdminAuthority: admin,
      withdrawTokenAccount: associatedTokenAddress(admin, accounts.tokenMint, TOKEN_PROGRAM),
    },
    args: { amount: toLamports(amount) },
  });

export const whitelistInstruction = (
  globalAdmin: Address,
  reserve: Address,
  [mode, value]: readonly [mode: (typeof reserveWhitelistModes)[number], value: number],
): Instruction =>
  addUpdateWhitelistedReserve.build(KVAULT_PROGRAM, {
    accounts: {
      globalAdmin,
      globalConfig: globalConfigAddress(),
      reserve,
      reserveWhitelistEntry: reserveWhitelistEntryAddress(reserve),
      systemProgram: SYSTEM_PROGRAM,
    },
    args: { mode: reserveWhitelistModes.indexOf(mode), value },
  });

export const initVaultInstruction = (
  admin: Address,
  vaultState: Address,
  mint: Address,
): Instruction =>
  initVault.build(KVAULT_PROGRAM, {
    accounts: {
      adminAuthority: admin,
      vaultState,
      baseVaultAuthority: baseVaultAuthority(vaultState),
      tokenVault: tokenVault(vaultState),
      baseTokenMint: mint,
      sharesMint: sharesMint(vaultState),
      adminTokenAccount: associatedTokenAddress(admin, mint, TOKEN_PROGRAM),
      systemProgram: SYSTEM_PROGRAM,
      rent: RENT_SYSVAR,
      tokenProgram: TOKEN_PROGRAM,
      sharesTokenProgram: TOKEN_PROGRAM,
    },
    args: {},
  });
