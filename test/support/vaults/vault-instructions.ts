import type { Address } from '#core/base/encoding/address.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { type AccountMeta, type Instruction, READ, WRITE } from '#core/base/solana/instruction.ts';
import { lendingMarketAuthority } from '#core/protocol/klend/pda.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { deposit } from '#core/protocol/kvault/instructions/deposit.ts';
import { giveUpPendingFees } from '#core/protocol/kvault/instructions/give-up-pending-fees.ts';
import { invest } from '#core/protocol/kvault/instructions/invest.ts';
import { redeemInKind } from '#core/protocol/kvault/instructions/redeem-in-kind.ts';
import { updateReserveAllocation } from '#core/protocol/kvault/instructions/update-reserve-allocation.ts';
import { withdraw } from '#core/protocol/kvault/instructions/withdraw.ts';
import { withdrawFromAvailable } from '#core/protocol/kvault/instructions/withdraw-from-available.ts';
import { withdrawPendingFees } from '#core/protocol/kvault/instructions/withdraw-pending-fees.ts';
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

/** Accounts that the instructions of one vault share, and those that a wallet or a reserve adds. */
export function vaultInstructionAccounts(cluster: VaultCluster, vaultState: Address) {
  const vault = cluster.vault(vaultState);
  const { tokenMint, sharesMint, tokenVault, baseVaultAuthority } = vault;
  return {
    remaining: remainingOf(cluster, reservesOf(vault)),
    accounts: {
      ...{ vaultState, tokenVault, tokenMint, baseVaultAuthority, sharesMint },
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
        ...{ reserve, lendingMarket },
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

// Instructions of the vault program as somebody honest sends them, for a vault of a plain token.

export const kvaultDepositInstruction = (
  scene: VaultInstructionAccounts,
  user: Address,
  amount: bigint,
): Instruction =>
  deposit.build(KVAULT_PROGRAM, {
    accounts: { ...scene.accounts, ...scene.ofUser(user) },
    args: { maxAmount: toLamports(amount) },
    remaining: scene.remaining,
  });

export const withdrawFromAvailableInstruction = (
  scene: VaultInstructionAccounts,
  user: Address,
  sharesAmount: bigint,
): Instruction =>
  withdrawFromAvailable.build(KVAULT_PROGRAM, {
    accounts: { ...scene.accounts, ...scene.ofUser(user) },
    args: { sharesAmount },
    remaining: scene.remaining,
  });

export type WithdrawSource = { readonly user: Address; readonly reserve: Address };

export const kvaultWithdrawInstruction = (
  scene: VaultInstructionAccounts,
  { user, reserve }: WithdrawSource,
  sharesAmount: bigint,
): Instruction =>
  withdraw.build(KVAULT_PROGRAM, {
    accounts: {
      ...{ ...scene.accounts, ...scene.ofUser(user), ...scene.lending(reserve) },
      reserveVaultState: scene.accounts.vaultState,
      outerEventAuthority: eventAuthority(),
      outerProgram: KVAULT_PROGRAM,
    },
    args: { sharesAmount },
    remaining: scene.remaining,
  });

export function redeemInKindInstruction(
  scene: VaultInstructionAccounts,
  { user, reserve }: WithdrawSource,
  sharesAmount: bigint,
): Instruction {
  const { reserveCollateralMint: ctokenMint, ...lending } = scene.lending(reserve);
  return redeemInKind.build(KVAULT_PROGRAM, {
    accounts: {
      ...{ ...scene.accounts, ...lending, user, ctokenMint },
      userCtokenTa: tokenOf(user, ctokenMint),
      userSharesTa: tokenOf(user, scene.accounts.sharesMint),
    },
    args: { sharesAmount },
    remaining: scene.remaining,
  });
}

export const investInstruction = (
  scene: VaultInstructionAccounts,
  payer: Address,
  { reserve, entry }: { readonly reserve: Address; readonly entry?: Address },
): Instruction =>
  invest.build(KVAULT_PROGRAM, {
    accounts: {
      ...{ ...scene.accounts, ...scene.lending(reserve), payer },
      payerTokenAccount: tokenOf(payer, scene.accounts.tokenMint),
      reserveWhitelistEntry: entry,
    },
    args: {},
    remaining: scene.remaining,
  });

export const withdrawPendingFeesInstruction = (
  scene: VaultInstructionAccounts,
  vaultAdminAuthority: Address,
  reserve: Address,
): Instruction =>
  withdrawPendingFees.build(KVAULT_PROGRAM, {
    accounts: {
      ...{ ...scene.accounts, ...scene.lending(reserve), vaultAdminAuthority },
      tokenAta: tokenOf(vaultAdminAuthority, scene.accounts.tokenMint),
    },
    args: {},
    remaining: scene.remaining,
  });

export const giveUpPendingFeesInstruction = (
  scene: VaultInstructionAccounts,
  vaultAdminAuthority: Address,
  amount: bigint,
): Instruction =>
  giveUpPendingFees.build(KVAULT_PROGRAM, {
    accounts: { ...scene.accounts, vaultAdminAuthority },
    args: { maxAmountToGiveUp: toLamports(amount) },
    remaining: scene.remaining,
  });

export type AllocationChange = {
  readonly reserve: Address;
  readonly weight: bigint;
  readonly cap: bigint;
  readonly entry?: Address;
};

export const updateAllocationInstruction = (
  scene: VaultInstructionAccounts,
  signer: Address,
  { reserve, weight, cap, entry }: AllocationChange,
): Instruction =>
  updateReserveAllocation.build(KVAULT_PROGRAM, {
    accounts: {
      ...{ ...scene.accounts, ...scene.lending(reserve), signer },
      reserveWhitelistEntry: entry,
      systemProgram: SYSTEM_PROGRAM,
      rent: RENT_SYSVAR,
    },
    args: { weight, cap: toLamports(cap) },
  });

/** Reserves, then the market of each. */
function remainingOf(cluster: VaultCluster, reserves: readonly Address[]): AccountMeta[] {
  const markets = reserves.map((address) => cluster.reserve(address).lendingMarket);
  return [
    ...reserves.map((address) => ({ address, role: WRITE }) as const),
    ...markets.map((address) => ({ address, role: READ }) as const),
  ];
}

type Slotted = { readonly slots: Readonly<Record<string, unknown>> };

/** The same call with another account in one of its slots. */
export function withAccountReplaced(
  { slots }: Slotted,
  instruction: Instruction,
  [name, address]: readonly [name: string, address: Address],
): Instruction {
  const place = Object.keys(slots).indexOf(name);
  if (place < 0) throw new Error(`no slot ${name}`);
  return {
    ...instruction,
    accounts: instruction.accounts.map((meta, i) => (i === place ? { ...meta, address } : meta)),
  };
}
