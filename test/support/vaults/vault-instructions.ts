import type { Address } from '#core/base/encoding/address.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { type AccountMeta, type Instruction, READ, WRITE } from '#core/base/solana/instruction.ts';
import { lendingMarketAuthority } from '#core/protocol/klend/pda.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { invest, updateReserveAllocation } from '#core/protocol/kvault/instructions/allocation.ts';
import {
  giveUpPendingFees,
  withdrawPendingFees,
} from '#core/protocol/kvault/instructions/rewards-and-fees.ts';
import {
  deposit,
  redeemInKind,
  withdraw,
  withdrawFromAvailable,
} from '#core/protocol/kvault/instructions/shares.ts';
import { ctokenVault, eventAuthority, globalConfigAddress } from '#core/protocol/kvault/pda.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import { associatedTokenAddress } from '#core/protocol/spl/associated-token.ts';
import {
  INSTRUCTIONS_SYSVAR,
  RENT_SYSVAR,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '#core/protocol/spl/programs.ts';
import { reservesOf, type VaultCluster } from './vault-cluster.ts';

/** The accounts that all instructions of a vault share, and those of a wallet or a reserve. */
export function vaultInstructionAccounts(cluster: VaultCluster, vaultState: Address) {
  const vault = cluster.vault(vaultState);
  const { tokenMint, sharesMint, tokenVault, baseVaultAuthority } = vault;
  return {
    remaining: remainingOf(cluster, reservesOf(vault)),
    accounts: {
      vaultState,
      tokenVault,
      tokenMint,
      baseVaultAuthority,
      sharesMint,
      globalConfig: globalConfigAddress(),
      klendProgram: KLEND_PROGRAM,
      tokenProgram: TOKEN_PROGRAM,
      sharesTokenProgram: TOKEN_PROGRAM,
      eventAuthority: eventAuthority(),
      program: KVAULT_PROGRAM,
    },
    ofUser: (user: Address) => ({
      user,
      userTokenAta: tokenOf(user, tokenMint),
      userSharesAta: tokenOf(user, sharesMint),
    }),
    lending(reserve: Address) {
      const { lendingMarket, liquidity, collateral } = cluster.reserve(reserve);
      return {
        reserve,
        lendingMarket,
        ctokenVault: ctokenVault(vaultState, reserve),
        lendingMarketAuthority: lendingMarketAuthority(lendingMarket),
        reserveLiquiditySupply: liquidity.supplyVault,
        reserveCollateralMint: collateral.mintPubkey,
        reserveCollateralTokenProgram: TOKEN_PROGRAM,
        instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
      };
    },
  };
}

export type VaultInstructionAccounts = ReturnType<typeof vaultInstructionAccounts>;

const tokenOf = (owner: Address, mint: Address): Address =>
  associatedTokenAddress(owner, mint, TOKEN_PROGRAM);

// Valid instructions of the vault program, for a vault of a plain token.

export const kvaultDepositInstruction = (
  shared: VaultInstructionAccounts,
  user: Address,
  amount: bigint,
): Instruction =>
  deposit.build(KVAULT_PROGRAM, {
    accounts: { ...shared.accounts, ...shared.ofUser(user) },
    args: { maxAmount: toLamports(amount) },
    remaining: shared.remaining,
  });

export const withdrawFromAvailableInstruction = (
  shared: VaultInstructionAccounts,
  user: Address,
  sharesAmount: bigint,
): Instruction =>
  withdrawFromAvailable.build(KVAULT_PROGRAM, {
    accounts: { ...shared.accounts, ...shared.ofUser(user) },
    args: { sharesAmount },
    remaining: shared.remaining,
  });

export type WithdrawSource = { readonly user: Address; readonly reserve: Address };

export const kvaultWithdrawInstruction = (
  shared: VaultInstructionAccounts,
  { user, reserve }: WithdrawSource,
  sharesAmount: bigint,
): Instruction =>
  withdraw.build(KVAULT_PROGRAM, {
    accounts: {
      ...shared.accounts,
      ...shared.ofUser(user),
      ...shared.lending(reserve),
      reserveVaultState: shared.accounts.vaultState,
      outerEventAuthority: eventAuthority(),
      outerProgram: KVAULT_PROGRAM,
    },
    args: { sharesAmount },
    remaining: shared.remaining,
  });

export function redeemInKindInstruction(
  shared: VaultInstructionAccounts,
  { user, reserve }: WithdrawSource,
  sharesAmount: bigint,
): Instruction {
  const { reserveCollateralMint: ctokenMint, ...lending } = shared.lending(reserve);
  return redeemInKind.build(KVAULT_PROGRAM, {
    accounts: {
      ...shared.accounts,
      ...lending,
      user,
      ctokenMint,
      userCtokenTa: tokenOf(user, ctokenMint),
      userSharesTa: tokenOf(user, shared.accounts.sharesMint),
    },
    args: { sharesAmount },
    remaining: shared.remaining,
  });
}

export const investInstruction = (
  shared: VaultInstructionAccounts,
  payer: Address,
  { reserve, entry }: { readonly reserve: Address; readonly entry?: Address },
): Instruction =>
  invest.build(KVAULT_PROGRAM, {
    accounts: {
      ...shared.accounts,
      ...shared.lending(reserve),
      payer,
      payerTokenAccount: tokenOf(payer, shared.accounts.tokenMint),
      reserveWhitelistEntry: entry,
    },
    args: {},
    remaining: shared.remaining,
  });

export const withdrawPendingFeesInstruction = (
  shared: VaultInstructionAccounts,
  vaultAdminAuthority: Address,
  reserve: Address,
): Instruction =>
  withdrawPendingFees.build(KVAULT_PROGRAM, {
    accounts: {
      ...shared.accounts,
      ...shared.lending(reserve),
      vaultAdminAuthority,
      tokenAta: tokenOf(vaultAdminAuthority, shared.accounts.tokenMint),
    },
    args: {},
    remaining: shared.remaining,
  });

export const giveUpPendingFeesInstruction = (
  shared: VaultInstructionAccounts,
  vaultAdminAuthority: Address,
  amount: bigint,
): Instruction =>
  giveUpPendingFees.build(KVAULT_PROGRAM, {
    accounts: { ...shared.accounts, vaultAdminAuthority },
    args: { maxAmountToGiveUp: toLamports(amount) },
    remaining: shared.remaining,
  });

export type AllocationChange = {
  readonly reserve: Address;
  readonly weight: bigint;
  readonly cap: bigint;
  readonly entry?: Address;
};

export const updateAllocationInstruction = (
  shared: VaultInstructionAccounts,
  signer: Address,
  { reserve, weight, cap, entry }: AllocationChange,
): Instruction =>
  updateReserveAllocation.build(KVAULT_PROGRAM, {
    accounts: {
      ...shared.accounts,
      ...shared.lending(reserve),
      signer,
      reserveWhitelistEntry: entry,
      systemProgram: SYSTEM_PROGRAM,
      rent: RENT_SYSVAR,
    },
    args: { weight, cap: toLamports(cap) },
  });

/** The reserves, then their markets. */
function remainingOf(cluster: VaultCluster, reserves: readonly Address[]): AccountMeta[] {
  const markets = reserves.map((address) => cluster.reserve(address).lendingMarket);
  return [
    ...reserves.map((address) => ({ address, role: WRITE }) as const),
    ...markets.map((address) => ({ address, role: READ }) as const),
  ];
}

type WithAccounts = { readonly accounts: Readonly<Record<string, unknown>> };

/** Replaces the address of a named account. */
export function withAccountReplaced(
  { accounts }: WithAccounts,
  instruction: Instruction,
  [name, address]: readonly [name: string, address: Address],
): Instruction {
  const index = Object.keys(accounts).indexOf(name);
  if (index < 0) throw new Error(`no account ${name}`);
  return {
    ...instruction,
    accounts: instruction.accounts.map((meta, i) => (i === index ? { ...meta, address } : meta)),
  };
}
