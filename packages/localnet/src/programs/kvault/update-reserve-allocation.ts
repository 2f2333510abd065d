import {
  type Address,
  addressToBytes,
  bytesFromText,
  findProgramAddress,
  type ProgramAddress,
  toLamports,
} from '@tidegate/core/base';
import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import { reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import { reserveWhitelistEntryAddress } from '@tidegate/core/protocol/kvault';
import { updateReserveAllocation } from '@tidegate/core/protocol/kvault/instructions';
import { reserveWhitelistEntry, vaultState } from '@tidegate/core/protocol/kvault/layout';
import {
  requireAllocationAdmin,
  updateReserveAllocation as update,
} from '@tidegate/core/protocol/kvault/operations';
import {
  RENT_SYSVAR,
  rentExemptLamports,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '@tidegate/core/protocol/spl';
import {
  allocate,
  assign,
  createAccount,
  initializeAccount3,
  systemTransfer,
} from '@tidegate/core/protocol/spl/instructions';
import { tokenAccount } from '@tidegate/core/protocol/spl/layout';
import type { InvokeContext } from '../../runtime/program.ts';
import { customError } from '../../runtime/transaction-errors.ts';
import { readAccount, writeAccount } from '../../runtime/typed-accounts.ts';
import {
  anchorFailure,
  anchorHandler,
  type InstructionHandler,
} from '../framework/anchor-program.ts';
import { accountChecks } from './account-checks.ts';
import { requireVaultAccounts } from './vault-checks.ts';

const UNITS = 30_000;

export const updateReserveAllocationHandler: InstructionHandler = anchorHandler(
  updateReserveAllocation,
  UNITS,
  updateAllocation,
);

type UpdateCall = ReturnType<typeof updateReserveAllocation.decode>;

function updateAllocation({ accounts, args }: UpdateCall, call: InvokeContext): void {
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
    weight: args.weight,
    cap: args.cap,
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
  if (!isCreated) createCtokenVault(call, accounts);
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

/** Uses lamports that the address already holds. */
function createCtokenVault(call: InvokeContext, accounts: UpdateCall['accounts']): void {
  const { signer, ctokenVault: account, reserveCollateralMint: mint } = accounts;
  const owner: Address = accounts.reserveCollateralTokenProgram;
  const space = BigInt(tokenAccount.size);
  const rent = rentExemptLamports(tokenAccount.size);
  const { lamports } = call.account(account);
  const invokeSigned = (instruction: Parameters<InvokeContext['invoke']>[0]) =>
    call.invoke(instruction, [account]);
  if (lamports === 0n) {
    const args = { lamports: toLamports(rent), space, owner };
    const created = { accounts: { from: signer, to: account }, args };
    invokeSigned(createAccount.build(SYSTEM_PROGRAM, created));
  } else {
    if (lamports < rent) {
      const args = { lamports: toLamports(rent - lamports) };
      const sent = { accounts: { from: signer, to: account }, args };
      call.invoke(systemTransfer.build(SYSTEM_PROGRAM, sent));
    }
    invokeSigned(allocate.build(SYSTEM_PROGRAM, { accounts: { account }, args: { space } }));
    invokeSigned(assign.build(SYSTEM_PROGRAM, { accounts: { account }, args: { owner } }));
  }
  const opened = { accounts: { account, mint }, args: { owner: accounts.baseVaultAuthority } };
  call.invoke(initializeAccount3.build(owner, opened));
}
