import {
  addressToBytes,
  bytesFromText,
  findProgramAddress,
  type ProgramAddress,
} from '@tidegate/core/base';
import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import { reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import { reserveWhitelistEntryAddress, type VaultRules } from '@tidegate/core/protocol/kvault';
import {
  updateReserveAllocation,
  updateReserveAllocationV2,
} from '@tidegate/core/protocol/kvault/instructions';
import { reserveWhitelistEntry, vaultState } from '@tidegate/core/protocol/kvault/layout';
import {
  type AllocationUpdate,
  requireAllocationAdmin,
  updateReserveAllocation as update,
} from '@tidegate/core/protocol/kvault/operations';
import { RENT_SYSVAR, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import type { InvokeContext } from '../../runtime/program.ts';
import { customError } from '../../runtime/transaction-errors.ts';
import { readAccount, writeAccount } from '../../runtime/typed-accounts.ts';
import {
  anchorFailure,
  anchorHandler,
  type InstructionHandler,
} from '../framework/anchor-program.ts';
import { createTokenPda } from '../framework/create-token-pda.ts';
import { accountChecks } from './account-checks.ts';
import { requireVaultAccounts } from './vault-checks.ts';

const UNITS = 30_000;

export const updateReserveAllocationHandlers = (
  rules: VaultRules,
): readonly InstructionHandler[] => [
  anchorHandler(updateReserveAllocation, UNITS, ({ accounts, args }, call) =>
    updateAllocation(accounts, args, call),
  ),
  ...(rules.limitInstructions === 'present' ? [updateReserveAllocationV2] : []).map((codec) =>
    anchorHandler(codec, UNITS, ({ accounts, args }, call) => {
      const { weight, cap, ctokenAllocationCap: ctokenCap } = args;
      updateAllocation(accounts, { weight, cap, ctokenCap }, call);
    }),
  ),
];

type UpdateCall = ReturnType<typeof updateReserveAllocation.decode>;
type UpdateTerms = Pick<AllocationUpdate, 'weight' | 'cap' | 'ctokenCap'>;

function updateAllocation(
  accounts: UpdateCall['accounts'],
  terms: UpdateTerms,
  call: InvokeContext,
): void {
  const { bump, whitelisted } = checkAccounts(call, accounts);
  const vault = readAccount(call, vaultState, accounts.vaultState);
  const { liquidity } = readAccount(call, reserveLayout, accounts.reserve);
  requireAllocationAdmin(vault, accounts);
  if (liquidity.mintPubkey !== vault.tokenMint) throw anchorFailure(call, 'RequireEqViolated');
  const fields = update(vault, {
    signer: accounts.signer,
    reserve: accounts.reserve,
    ctokenVault: accounts.ctokenVault,
    ctokenVaultBump: bump,
    ...terms,
    whitelisted,
  });
  writeAccount(call, vaultState, { address: accounts.vaultState, fields });
}

const ACCOUNT_SYSVAR_MISMATCH = 3015;

function checkAccounts(
  call: InvokeContext,
  accounts: UpdateCall['accounts'],
): { readonly bump: number; readonly whitelisted: boolean } {
  const check = accountChecks(call, accounts);
  const { baseVaultAuthority, reserveCollateralMint, reserve } = accounts;
  const { reserveWhitelistEntry: entryAddress } = accounts;
  const vault = check.load('vaultState', vaultState, call.program);
  check.mint('reserveCollateralMint');
  const { collateral } = check.load('reserve', reserveLayout, KLEND_PROGRAM);
  const entry =
    entryAddress === undefined ? undefined : readAccount(call, reserveWhitelistEntry, entryAddress);
  check.program('reserveCollateralTokenProgram', TOKEN_PROGRAM);
  check.program('systemProgram', SYSTEM_PROGRAM);
  if (accounts.rent !== RENT_SYSVAR) throw customError(ACCOUNT_SYSVAR_MISMATCH);
  const derived = ctokenVaultAddress(call, accounts);
  check.seeds('ctokenVault', derived.address);
  const isCreated = call.account(accounts.ctokenVault).owner !== SYSTEM_PROGRAM;
  if (!isCreated) {
    createTokenPda(call, {
      address: accounts.ctokenVault,
      payer: accounts.signer,
      mint: reserveCollateralMint,
      authority: baseVaultAuthority,
      tokenProgram: accounts.reserveCollateralTokenProgram,
    });
  }
  check.token('ctokenVault');
  check.tokenTerms('ctokenVault', {
    authority: baseVaultAuthority,
    mint: reserveCollateralMint,
    tokenProgram: accounts.reserveCollateralTokenProgram,
  });
  requireVaultAccounts(call, vault, { baseVaultAuthority });
  check.address('reserveCollateralMint', collateral.mintPubkey);
  const isOfProgram = call.account(reserveCollateralMint).owner === TOKEN_PROGRAM;
  check.require(isOfProgram, 'ConstraintMintTokenProgram', 'reserveCollateralMint');
  if (entry !== undefined) {
    check.seeds('reserveWhitelistEntry', reserveWhitelistEntryAddress(reserve, call.program));
  }
  return { bump: derived.bump, whitelisted: entry?.whitelistAddAllocation === 1 };
}

/** With its bump, which the vault stores. */
const ctokenVaultAddress = (
  call: InvokeContext,
  { vaultState: vault, reserve }: UpdateCall['accounts'],
): ProgramAddress =>
  findProgramAddress(
    [bytesFromText('ctoken_vault'), addressToBytes(vault), addressToBytes(reserve)],
    call.program,
  );
